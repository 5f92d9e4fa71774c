@NullMarked
package husk.sandboxes;

import org.jspecify.annotations.NullMarked;
