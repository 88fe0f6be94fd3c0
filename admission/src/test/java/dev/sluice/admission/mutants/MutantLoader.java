package dev.sluice.admission.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Admission;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Compiles a mutant's sources in memory and defines every class of this module anew, with those in their place: engine
 * and tests must share one loader to share their package.
 */
final class MutantLoader extends ClassLoader {
    private static final String PACKAGE = "dev.sluice.admission.";
    private static final Path SOURCES = Path.of("src/main/java/dev/sluice/admission");

    private final Map<String, byte[]> compiled;

    private MutantLoader(Map<String, byte[]> compiled) {
        super(MutantLoader.class.getClassLoader());
        this.compiled = compiled;
    }

    static MutantLoader load(Mutant mutant) {
        Map<String, String> sources = new HashMap<>();
        for (Mutant.Edit edit : mutant.edits()) {
            String source = sources.computeIfAbsent(edit.file(), MutantLoader::read);
            sources.put(edit.file(), replaceOnce(source, edit));
        }
        return new MutantLoader(compile(sources));
    }

    Class<?> type(String name) {
        try {
            return loadClass(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(PACKAGE)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known != null ? known : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = compiled.get(name);
        if (bytes == null) {
            try (InputStream stream = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (stream == null) {
                    throw new ClassNotFoundException(name);
                }
                bytes = stream.readAllBytes();
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
        return defineClass(name, bytes, 0, bytes.length);
    }

    private static String read(String file) {
        try {
            return Files.readString(SOURCES.resolve(file + ".java"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String replaceOnce(String source, Mutant.Edit edit) {
        String pattern = Pattern.compile("\\s+")
                .splitAsStream(edit.from())
                .map(Pattern::quote)
                .collect(Collectors.joining("\\s+"));
        Matcher matcher = Pattern.compile(pattern).matcher(source);
        assertThat(matcher.results().count())
                .as("places in %s.java that read: %s", edit.file(), edit.from())
                .isEqualTo(1);
        return matcher.reset().replaceFirst(Matcher.quoteReplacement(edit.to()));
    }

    private static Map<String, byte[]> compile(Map<String, String> sources) {
        if (sources.isEmpty()) {
            return Map.of();
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<JavaFileObject> files = new ArrayList<>();
        sources.forEach((name, text) -> files.add(new Source(name, text)));
        Classes classes = new Classes(compiler.getStandardFileManager(null, null, null));
        List<String> options = List.of(
                "-proc:none",
                "-classpath",
                location(Admission.class) + System.getProperty("path.separator") + location(Nullable.class));
        boolean done =
                compiler.getTask(messages, classes, null, options, null, files).call();
        assertThat(done).as("compilation: %s", messages).isTrue();
        Map<String, byte[]> compiled = new HashMap<>();
        classes.outputs.forEach((name, output) -> compiled.put(name, output.toByteArray()));
        return compiled;
    }

    private static String location(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///dev/sluice/admission/" + name + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** Keeps what the compiler writes. */
    private static final class Classes extends ForwardingJavaFileManager<JavaFileManager> {
        final Map<String, ByteArrayOutputStream> outputs = new HashMap<>();

        Classes(JavaFileManager standard) {
            super(standard);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + className.replace('.', '/') + ".class"), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return outputs.computeIfAbsent(className, any -> new ByteArrayOutputStream());
                }
            };
        }
    }
}
