package dev.sluice.gateway.webhooks;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Looks up the addresses of a host; blocks. */
interface Names {
    InetAddress[] addresses(String host) throws UnknownHostException;
}
