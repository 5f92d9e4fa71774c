package husk.gateway;

/// What a [CellStream] gives: text as it comes, and the result as the last item.
public sealed interface CellOutput {

  /// A piece of text. All pieces together are the text of the result.
  record Text(String text) implements CellOutput {}

  /// Everything, once the code has ended well.
  record Result(CellResult result) implements CellOutput {}
}
