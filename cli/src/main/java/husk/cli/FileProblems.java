package husk.cli;

import husk.model.Problem;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// What goes wrong with files of the host.
final class FileProblems {
  private FileProblems() {}

  static Problem of(FileSystemException e) {
    String why =
        switch (e) {
          case AccessDeniedException _ -> "permission denied";
          case NoSuchFileException _ -> "there is no such file or folder";
          default -> e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
        };
    return new Problem(Problem.Code.INVALID_REQUEST, "`" + e.getFile() + "`: " + why).causedBy(e);
  }
}
