package husk.model;

import java.util.List;
import java.util.Optional;

/// What a variable looks like from outside.
///
/// @param type the name of its type
/// @param shape of an array or a frame; of what has a length, that alone
/// @param size in bytes: what an array holds, else what Python says the object itself takes
public record Variable(String type, Optional<List<Long>> shape, Optional<Long> size) {}
