package dev.sluice.gateway.config;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The signals by which an operator speaks to the process: SIGHUP to reload, SIGTERM and SIGINT to stop. */
public final class ProcessSignal {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessSignal.class);

    private ProcessSignal() {}

    /**
     * Runs {@code action} on a thread of its own at each signal.
     *
     * @param name without SIG: {@code HUP}, {@code TERM}, {@code INT}
     * @return whether the signal will come: the platform may not have it, who started the process may have it ignored
     */
    public static boolean handle(String name, Runnable action) {
        // By reflection: the compiler warns of sun.misc.Signal and cannot be told that it is meant.
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object onSignal = Proxy.newProxyInstance(
                    ProcessSignal.class.getClassLoader(), new Class<?>[] {handler}, new OnSignal(action));
            Object wanted = signal.getConstructor(String.class).newInstance(name);
            Object before = signal.getMethod("handle", signal, handler).invoke(null, wanted, onSignal);
            if (handler.getField("SIG_IGN").get(null).equals(before)) {
                LOG.debug("SIG{} stays ignored, as whoever started this process set it", name);
                return false;
            }
            return true;
        } catch (ReflectiveOperationException e) {
            LOG.debug("SIG{} is not available here", name);
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
