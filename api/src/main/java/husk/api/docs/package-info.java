/// The API described for programs and people: `/`, `/openapi.json`, and two pages that show it.
///
/// Owns: what each operation is called, takes and answers; the OpenAPI document made of it; the
/// files of Swagger UI and ReDoc. Bodies are described by the forms that read them. Called by:
/// `husk.api`, as one more endpoint. Never: answers anything but questions about the API, or loads
/// anything from elsewhere. Start reading at [OpenApi], then [KernelOperations].
@NullMarked
package husk.api.docs;

import org.jspecify.annotations.NullMarked;
