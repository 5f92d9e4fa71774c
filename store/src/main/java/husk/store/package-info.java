/// Remembers kernels and their executions, for every process of one user.
///
/// Owns: the registry's SQLite file, its schema, its being made anew when it is damaged ([Rescue]
/// knows from what), the files that say its rows once more ([NoteFiles]), and the rule that one
/// name belongs to one kernel. Called by: the core and the sandboxes. Calls: the model and
/// sqlite-jdbc, nothing else. Never: judges whether a kernel is alive, starts or ends a process,
/// reads the JSON it keeps, or lets an SQLException out. Start reading at [Registry], then
/// [SqliteRegistry].
@NullMarked
package husk.store;

import org.jspecify.annotations.NullMarked;
