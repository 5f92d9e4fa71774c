package husk.core;

import husk.model.KernelProcess;
import java.time.Duration;

/// What is written down of an execution when it starts, so that another process can see it through
/// should the one that started it die.
///
/// @param owner the process that runs it
/// @param timeout its limit; zero for none
/// @param outputLimit characters kept per field
/// @param code what runs
record InFlight(KernelProcess owner, Duration timeout, int outputLimit, String code) {}
