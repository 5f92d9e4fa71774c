// A key in the page's own address is used for the document. Fonts are the reader's own.
const font = "system-ui, sans-serif";

Redoc.init(
  "openapi.json" + location.search,
  {
    disableSearch: false,
    theme: {
      typography: {
        fontFamily: font,
        headings: { fontFamily: font },
        code: { fontFamily: "ui-monospace, monospace" },
      },
    },
  },
  document.getElementById("redoc"),
);
