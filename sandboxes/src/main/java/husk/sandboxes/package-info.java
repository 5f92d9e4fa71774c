/// Sandboxes by name: making, starting, stopping and removing them, the pool of ready ones, their
/// way out and their events.
///
/// Owns: what a request becomes ([SpecMaker]), the registry's rows and the files behind them, one
/// egress proxy per running sandbox, published ports, expiry. Called by: `core`. Never: knows how a
/// backend works, or speaks HTTP to a caller. Start reading at [Sandboxes].
@NullMarked
package husk.sandboxes;

import org.jspecify.annotations.NullMarked;
