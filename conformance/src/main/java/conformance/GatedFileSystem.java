package conformance;

import java.io.IOException;
import java.net.URI;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;
import org.apache.flink.core.fs.local.LocalRecoverableWriter;

/** Checkpoint storage on the local disk that can be down: then nothing can be created there. */
final class GatedFileSystem extends LocalFileSystem {
    static final URI ROOT = URI.create("gated:///");

    /** Found by `FileSystem` through the service loader. */
    public static final class Factory implements FileSystemFactory {
        @Override
        public String getScheme() {
            return ROOT.getScheme();
        }

        @Override
        public FileSystem create(URI uri) {
            return new GatedFileSystem();
        }
    }

    @Override
    public URI getUri() {
        return ROOT;
    }

    @Override
    public FSDataOutputStream create(Path path, WriteMode mode) throws IOException {
        if (Director.now.storageDown) throw new IOException("injected: storage is down");
        return super.create(path, mode);
    }

    @Override
    public LocalRecoverableWriter createRecoverableWriter() {
        throw new UnsupportedOperationException("plain files only");
    }
}
