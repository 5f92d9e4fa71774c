// A key in the page's own address is used for the document and for every call tried out.
const key = new URLSearchParams(location.search).get("token");

SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#swagger-ui",
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  validatorUrl: null,
  requestInterceptor: (request) => {
    if (key && !request.headers.Authorization) {
      request.headers.Authorization = "Bearer " + key;
    }
    return request;
  },
});
