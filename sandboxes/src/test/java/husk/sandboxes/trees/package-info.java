@NullMarked
package husk.sandboxes.trees;

import org.jspecify.annotations.NullMarked;
