package husk.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A data frame that an execution displayed, as data: its columns, and its first rows.
///
/// @param fields the columns, the index first
/// @param primaryKey the columns that tell one row from all others, if there are such
/// @param rows by column; what is missing in the frame is null, dates are ISO 8601
/// @param truncated whether anything was left out: rows, columns, the ends of long texts
/// @param totalRows how many rows the frame itself has
public record DataFrame(
    List<Field> fields,
    List<String> primaryKey,
    List<Map<String, @Nullable Object>> rows,
    boolean truncated,
    long totalRows) {

  /// The MIME type: a Tabular Data Resource.
  public static final String MIME = "application/vnd.dataresource+json";

  /// A column.
  ///
  /// @param type of Table Schema: `integer`, `number`, `boolean`, `string`, `datetime`, `duration`,
  ///   `array`, `object` or `any`
  public record Field(String name, String type) {}

  public DataFrame {
    fields = List.copyOf(fields);
    primaryKey = List.copyOf(primaryKey);
    rows = List.copyOf(rows);
  }

  /// The data frame among what was displayed, if it is one.
  public static Optional<DataFrame> in(OutputItem item) {
    return Tree.in(item.data(), MIME).filter(it -> it.has("schema")).map(DataFrame::read);
  }

  private static DataFrame read(Tree resource) {
    var schema = resource.at("schema");
    var rows = resource.all("data").stream().map(Tree::values).toList();
    return new DataFrame(
        schema.all("fields").stream().map(DataFrame::field).toList(),
        schema.texts("primaryKey"),
        rows,
        resource.flag("truncated"),
        resource.number("total_rows").map(Double::longValue).orElse((long) rows.size()));
  }

  private static Field field(Tree field) {
    return new Field(field.text("name").orElse(""), field.text("type").orElse("any"));
  }
}
