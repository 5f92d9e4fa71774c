package husk.api.docs;

import static husk.api.form.Schema.ref;

import husk.api.sandboxes.CommandForms;
import husk.api.sandboxes.SandboxParameters;
import husk.local.Frames;
import java.util.List;

/// What is in a sandbox: files and folders, and what listens there.
final class FileOperations {
  private static final String FILES = "Files";
  private static final String BYTES = "application/octet-stream";
  private static final String TAR = "application/x-tar";

  private FileOperations() {}

  static List<Operation> all() {
    return List.of(
        inside("GET /sandboxes/{name}/fs/content", "read_file", "Read a file")
            .query(SandboxParameters.PATH)
            .answers(Answer.text(200, "Its bytes.", BYTES)),
        inside("PUT /sandboxes/{name}/fs/content", "write_file", "Write a file")
            .about("It is there once it is whole; until then what was there before stays.")
            .query(SandboxParameters.PATH, SandboxParameters.MODE)
            .takesBytes(BYTES)
            .answers(Answer.json(200, "How long it is.", ref("Bytes"))),
        inside("GET /sandboxes/{name}/fs/tar", "pack_folder", "Read a folder")
            .query(SandboxParameters.PATH)
            .answers(Answer.text(200, "What is in it, as a tar archive.", TAR)),
        inside("PUT /sandboxes/{name}/fs/tar", "unpack_folder", "Write into a folder")
            .query(SandboxParameters.PATH)
            .takesBytes(TAR)
            .answers(Answer.json(200, "How long the archive was.", ref("Bytes"))),
        inside("GET /sandboxes/{name}/fs/entry", "stat_file", "Look at a file")
            .query(SandboxParameters.PATH)
            .answers(Answer.json(200, "What it is.", ref("FileModel"))),
        inside("DELETE /sandboxes/{name}/fs/entry", "remove_file", "Remove a file or folder")
            .query(SandboxParameters.PATH, SandboxParameters.RECURSIVE)
            .answers(Answer.json(200, "It is gone.", ref("SandboxRemoved"))),
        inside("GET /sandboxes/{name}/fs/entries", "list_folder", "List a folder")
            .query(SandboxParameters.PATH)
            .answers(Answer.json(200, "What is in it.", ref("FileListResponse"))),
        inside("POST /sandboxes/{name}/fs/directories", "make_folder", "Make a folder")
            .takes(CommandForms.DIRECTORY, "path", "/workspace/data")
            .answers(Answer.json(200, "Where it is.", ref("PathModel"))),
        inside("POST /sandboxes/{name}/fs/move", "move_file", "Move a file or folder")
            .takes(CommandForms.MOVE, "from", "/workspace/a", "to", "/workspace/b")
            .answers(Answer.json(200, "Where it is now.", ref("PathModel"))),
        inside("POST /sandboxes/{name}/ports/{port}", "connect_to_port", "Connect to a port inside")
            .about(
                "What comes out of the connection is answered as frames, the first with its id;"
                    + " what is to go in is sent to that. A caller that leaves closes it.")
            .answers(
                Answer.text(200, "What comes out.", Frames.MEDIA_TYPE),
                Answer.json(422, "That is no port.", ref("Problem"))),
        inside("POST /sandboxes/{name}/ports/{port}/{id}", "send_to_port", "Send to a port inside")
            .query(SandboxParameters.END)
            .takesBytes(BYTES)
            .answers(Answer.json(200, "How much was taken.", ref("Bytes"))));
  }

  private static Operation inside(String route, String id, String summary) {
    return Operation.of(route, id, FILES, summary)
        .refuses(403, "The sandbox itself may not, or the caller may not.")
        .refuses(404, "There is no such sandbox, or nothing there.")
        .refuses(409, SandboxOperations.STOPPED)
        .refuses(507, "The sandbox is full.");
  }
}
