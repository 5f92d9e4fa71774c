package husk.spi;

/// What a backend can do. What it cannot is refused by name, never ignored.
///
/// @param isolates whether code inside is kept from the machine at all
/// @param network whether it enforces egress rules
/// @param mounts whether folders of the host can be mounted
/// @param limits whether memory, CPU and processes can be limited
/// @param kernels whether kernels can live inside
public record Capabilities(
    boolean isolates, boolean network, boolean mounts, boolean limits, boolean kernels) {}
