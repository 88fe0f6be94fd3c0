package dev.sluice.gateway.http;

/** What a body turned out to be. */
public sealed interface Reading permits InferenceRequest, Reading.Invalid {
    record Invalid(Problem problem) implements Reading {}
}
