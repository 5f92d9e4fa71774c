@NullMarked
package husk.backends.bubblewrap;

import org.jspecify.annotations.NullMarked;
