package dev.sluice.gateway.config;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The signal SIGHUP, by which operators ask for a reload. */
public final class HangUp {
    private static final Logger LOG = LoggerFactory.getLogger(HangUp.class);

    private HangUp() {}

    /**
     * Runs {@code action} on a thread of its own at each SIGHUP.
     *
     * @return whether the platform has the signal
     */
    public static boolean handle(Runnable action) {
        return handle("HUP", action);
    }

    /** The same for another signal, for example {@code TERM}. */
    public static boolean handle(String name, Runnable action) {
        // By reflection: the compiler warns of sun.misc.Signal and cannot be told that it is meant.
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(
                    HangUp.class.getClassLoader(), new Class<?>[] {handler}, new OnSignal(action));
            Object wanted = signal.getConstructor(String.class).newInstance(name);
            signal.getMethod("handle", signal, handler).invoke(null, wanted, proxy);
            return true;
        } catch (ReflectiveOperationException e) {
            LOG.info("SIG{} is not available here", name);
            return false;
        }
    }

    /** The one method of a signal handler, beside those of every object. */
    private record OnSignal(Runnable action) implements InvocationHandler {
        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
                throws ReflectiveOperationException {
            if (method.getDeclaringClass() == Object.class) {
                return method.invoke(this, arguments);
            }
            action.run();
            return null;
        }
    }
}
