/// Snapshots of a folder's files: taken, put back, compared and removed, with plain files alone.
///
/// Owns: the copies, the index beside each of them that says which live file it was made from, and
/// the rule by which a file counts as unchanged. Called by: whoever lets a kernel's workspace go
/// back with its interpreter. Never: mounts anything, follows a link, leaves the folder it was
/// given, or decides where snapshots live and when they end. Start reading at [TreeSnapshot].
///
/// What is in a live folder is somebody else's: it may change at any moment, and not by accident.
/// So everything is done by descriptor and never by path: a file's looks are those of the very file
/// that is read. Whatever is written is made complete where nobody else can reach it, and then
/// renamed into place. Nothing that is copied lends its owner's rights.
@NullMarked
package husk.sandboxes.trees;

import org.jspecify.annotations.NullMarked;
