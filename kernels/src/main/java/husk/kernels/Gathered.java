package husk.kernels;

import husk.model.ErrorInfo;
import husk.model.Image;
import husk.model.OutputItem;
import java.util.List;
import java.util.Optional;

/// The outputs of a cell, finished and within their limits.
public record Gathered(
    String stdout,
    String stderr,
    Optional<ErrorInfo> error,
    Optional<String> returnValue,
    List<OutputItem> items,
    List<Image> images,
    List<String> truncatedFields) {}
