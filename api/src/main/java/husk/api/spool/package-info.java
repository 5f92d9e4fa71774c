/// What waits between a writer that must not be held back and readers that may be slow.
///
/// Owns: the records, in memory first and then in files, and the files' end. Called by: whatever
/// streams to clients. Calls: nothing of Husk but [husk.model.Problem]. Never: knows what a record
/// means. Start reading at [Spool].
@NullMarked
package husk.api.spool;

import org.jspecify.annotations.NullMarked;
