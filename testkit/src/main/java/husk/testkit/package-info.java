/// What tests of every module share: a private home, patience, requirements, a process that serves
/// them all, and the proof that nothing was left behind.
///
/// Owns: the marker by which a test's processes are known. Called by: tests alone. Calls: JUnit,
/// `/proc` and `/tmp`. Never: knows any other module, or ends what it finds. Start reading at
/// [LeakDetector].
@NullMarked
package husk.testkit;

import org.jspecify.annotations.NullMarked;
