-- Batches tell a webhook of their end, as tasks do.

alter table batch add webhook text;

-- A trigger, so that no way in which a batch ends can forget the message, now or later.
create function tell_batch_end() returns trigger language plpgsql as $$
begin
    insert into "${flyway:defaultSchema}".webhook_delivery (owner, webhook, task, payload)
    values (new.owner, new.webhook, new.id, json_build_object(
        'type', 'batch.' || new.state,
        'timestamp', "${flyway:defaultSchema}".web_time(new.finished),
        'data', json_build_object(
            'id', 'batch_' || replace(new.id::text, '-', ''),
            'status', new.state,
            'group', new.owner,
            'endpoint', new.endpoint,
            'created_at', "${flyway:defaultSchema}".web_time(new.created),
            'started_at', "${flyway:defaultSchema}".web_time(new.started),
            'finished_at', "${flyway:defaultSchema}".web_time(new.finished),
            'request_counts', json_build_object(
                'total', new.total, 'completed', new.completed, 'failed', new.failed),
            'output_file_id', 'file-' || replace(new.output::text, '-', ''),
            'error_file_id', 'file-' || replace(new.errors_file::text, '-', ''),
            'metadata', new.metadata::json)));
    return null;
end $$;

create trigger batch_end after update of finished on batch for each row
    when (old.finished is null and new.finished is not null and new.webhook is not null)
    execute function tell_batch_end();
