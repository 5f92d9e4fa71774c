/// The examples of the documentation, as code that compiles and that tests run.
///
/// Owns: what the Javadoc of [husk.Husk] shows through its snippets. Called by: `ExamplesTest`.
/// Calls: the library as its users do. Never: shows what does not work. Start reading at [Demo].
@NullMarked
package husk.examples;

import org.jspecify.annotations.NullMarked;
