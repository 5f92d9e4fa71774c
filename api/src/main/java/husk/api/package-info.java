/// What all dialects share: routes, how requests are read and answered, who may come in.
///
/// Owns: raw-path routing, problems as HTTP statuses, JSON and text answers. Called by: every
/// endpoint. Never: knows an endpoint. Start reading at [Endpoint] and [Routes], then
/// `husk.api.server`.
@NullMarked
package husk.api;

import org.jspecify.annotations.NullMarked;
