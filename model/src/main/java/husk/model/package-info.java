/// What every part of Husk speaks of: kernels, executions and their results, and problems.
///
/// Owns: the records that cross module and process boundaries, and the stable problem codes. Called
/// by: everything. Calls: nothing; no I/O and no dependencies, because the command-line client
/// loads this package at every start. Never: knows JSON, HTTP, SQL or the Jupyter protocol. Start
/// reading at [KernelRecord] and [ExecutionResult].
@NullMarked
package husk.model;

import org.jspecify.annotations.NullMarked;
