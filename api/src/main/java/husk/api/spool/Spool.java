package husk.api.spool;

import husk.model.Problem;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// An ordered log of byte records: whoever appends never waits for whoever reads.
///
/// Records are numbered from 1. They stay, in memory and beyond that in files, until [#forgetUpTo]
/// says that nobody will ask for them again; any number of [SpoolReader]s may start anywhere among
/// them. Safe for many threads.
public final class Spool implements AutoCloseable {
  private final Path directory;
  private final SpoolLimits limits;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final TreeMap<Long, Page> pages = new TreeMap<>();
  private @Nullable Page filling;
  private long first = 1;
  private long next = 1;
  private long inMemory;
  private long onDisk;
  private boolean ended;
  private Optional<String> diskFailure = Optional.empty();

  /// @param directory where files go once memory is used up; it has to exist by then
  public Spool(Path directory, SpoolLimits limits) {
    this.directory = directory;
    this.limits = limits;
  }

  /// Adds a record and gives its number; 0 when nothing more is taken, because it [#end]ed.
  ///
  /// @throws Problem when as much as is allowed, or as the disk has room for, waits already
  public long append(byte[] record) {
    return append(List.of(record));
  }

  /// The same for a record that is given in parts.
  public long append(List<byte[]> parts) {
    int length = parts.stream().mapToInt(part -> part.length).reduce(0, Math::addExact);
    lock.lock();
    try {
      if (ended) {
        return 0;
      }
      if (inMemory + onDisk + length > limits.total()) {
        throw full("the limit is " + limits.total());
      }
      if (diskFailure.isPresent() && inMemory > limits.memory()) {
        throw full("the disk takes no more: " + diskFailure.get());
      }
      add(parts, length);
      changed.signalAll();
      return next++;
    } catch (IOException e) {
      throw full("the disk takes no more: " + e.getMessage());
    } finally {
      lock.unlock();
    }
  }

  private void add(List<byte[]> parts, int length) throws IOException {
    if (length >= limits.page() && inMemory + length > limits.memory()) {
      var large = new Page(next);
      large.addToFile(directory, parts, length);
      onDisk += large.size();
      filling = null;
      pages.put(next, large);
      return;
    }
    var page = filling;
    if (page == null) {
      page = new Page(next);
      pages.put(next, page);
      filling = page;
    }
    int before = page.size();
    page.add(parts, length);
    inMemory += page.size() - before;
    if (page.size() >= limits.page()) {
      filling = null;
      makeRoom(page);
    }
  }

  /// A record that was taken stays, also when the disk is full; the next is refused then.
  private void makeRoom(Page full) {
    if (inMemory <= limits.memory()) {
      return;
    }
    try {
      full.spill(directory);
      diskFailure = Optional.empty();
      inMemory -= full.size();
      onDisk += full.size();
    } catch (IOException e) {
      diskFailure = Optional.of(e.toString());
    }
  }

  private Problem full(String why) {
    return new Problem(
        Problem.Code.CAPACITY_EXHAUSTED,
        (inMemory + onDisk) + " bytes wait for a client that does not read them; " + why,
        "read faster, or ask for less at once");
  }

  /// Says that nothing more comes; readers get what there is, and then the end.
  public void end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Lets go of all records up to and including this number.
  public void forgetUpTo(long sequence) {
    lock.lock();
    try {
      first = Math.max(first, Math.min(sequence + 1, next));
      while (!pages.isEmpty() && pages.firstEntry().getValue().last() < first) {
        drop(pages.pollFirstEntry().getValue());
      }
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("ReferenceEquality") // that very page
  private void drop(Page page) {
    if (page.inMemory()) {
      inMemory -= page.size();
    } else {
      onDisk -= page.size();
    }
    if (page == filling) {
      filling = null;
    }
    page.discard();
  }

  /// The number of the oldest record that is still kept, or of the next one if none is.
  public long first() {
    lock.lock();
    try {
      return first;
    } finally {
      lock.unlock();
    }
  }

  /// The number that the next record gets.
  public long next() {
    lock.lock();
    try {
      return next;
    } finally {
      lock.unlock();
    }
  }

  /// Whether nothing more is taken.
  public boolean ended() {
    lock.lock();
    try {
      return ended;
    } finally {
      lock.unlock();
    }
  }

  /// Bytes kept, in memory and on disk.
  public long size() {
    lock.lock();
    try {
      return inMemory + onDisk;
    } finally {
      lock.unlock();
    }
  }

  /// Reads from the record of this number on.
  public SpoolReader reader(long sequence) {
    return new SpoolReader(this, Math.max(1, sequence));
  }

  boolean has(long sequence) {
    lock.lock();
    try {
      return sequence < next || ended;
    } finally {
      lock.unlock();
    }
  }

  /// Waits until there is a record of this number, or never will be; false when neither within
  /// `limit`.
  boolean await(long sequence, Duration limit) throws InterruptedException {
    long left = limit.toNanos();
    lock.lock();
    try {
      while (sequence >= next && !ended) {
        if (left <= 0) {
          return false;
        }
        left = changed.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// Finds a record's page and lets `reader` look at it; false when there will never be such a
  /// record.
  boolean visit(long sequence, SpoolReader reader) throws IOException {
    Page page;
    lock.lock();
    try {
      if (sequence < first) {
        throw forgotten(sequence, first);
      }
      var entry = sequence < next ? pages.floorEntry(sequence) : null;
      if (entry == null) {
        return false;
      }
      page = entry.getValue();
      if (page.inMemory()) {
        reader.look(page);
        return true;
      }
    } finally {
      lock.unlock();
    }
    // In its file it changes no more, and reading it keeps nobody waiting.
    reader.look(page);
    return true;
  }

  static Problem forgotten(long sequence, long oldest) {
    return new Problem(
        Problem.Code.INVALID_REQUEST,
        "number " + sequence + " is no longer kept; the oldest is " + oldest,
        "begin anew without a number");
  }

  /// Ends it, and removes what it keeps in memory and in files.
  @Override
  public void close() {
    end();
    forgetUpTo(Long.MAX_VALUE - 1);
  }
}
