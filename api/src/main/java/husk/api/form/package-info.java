/// What callers may send, said once: a form describes a body field by field, reads it, and is shown
/// in the OpenAPI document, so that the three cannot disagree.
///
/// Owns: the kinds of values, FastAPI's words for what is wrong with them, JSON Schema of them.
/// Called by: `husk.api` and the packages below it. Never: knows HTTP or any one request. Start
/// reading at [Form], then [Type].
@NullMarked
package husk.api.form;

import org.jspecify.annotations.NullMarked;
