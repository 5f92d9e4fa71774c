@NullMarked
package husk.backends;

import org.jspecify.annotations.NullMarked;
