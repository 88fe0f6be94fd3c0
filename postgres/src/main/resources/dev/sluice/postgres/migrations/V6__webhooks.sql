-- Webhooks of tasks, and what failed for good.

alter table task
    -- Which of its group's webhooks hears of its end, and what the request said about itself. Of type json, so that
    -- what is no JSON fails when the task is taken, not when it ends.
    add webhook  text,
    add metadata json,
    -- When an operator lined it up anew.
    add revived  timestamptz;

create index task_failed on task (finished) where finished is not null and error_code is not null and batch is null;

-- One message to be delivered. A row that is here is not delivered yet, or was given up.
create table webhook_delivery (
    id       uuid primary key default gen_random_uuid(),
    owner    text        not null,
    webhook  text        not null,
    -- What it tells of.
    task     uuid        not null,
    payload  text        not null,
    attempts integer     not null default 0 check (attempts >= 0),
    -- The next attempt; of one in progress: when its gateway counts as dead.
    due      timestamptz not null default clock_timestamp(),
    -- How the last attempt ended.
    status   integer,
    code     text,
    message  text,
    created  timestamptz not null default clock_timestamp(),
    gave_up  timestamptz
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

create index webhook_delivery_due on webhook_delivery (due) where gave_up is null;
create index webhook_delivery_dead on webhook_delivery (gave_up) where gave_up is not null;
create index webhook_delivery_task on webhook_delivery (task);

create function web_time(p timestamptz) returns text language sql immutable as $$
    select to_char(p at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- A trigger, so that no way in which a task ends can forget the message, now or later.
create function tell_end() returns trigger language plpgsql as $$
begin
    insert into "${flyway:defaultSchema}".webhook_delivery (owner, webhook, task, payload)
    values (new.owner, new.webhook, new.id, json_build_object(
        'type', 'task.' || new.state,
        'timestamp', "${flyway:defaultSchema}".web_time(new.finished),
        'data', json_build_object(
            'id', new.id,
            'status', new.state,
            'group', new.owner,
            'model', new.model,
            'attempts', new.attempts,
            'created_at', "${flyway:defaultSchema}".web_time(new.created),
            'started_at', "${flyway:defaultSchema}".web_time(new.started),
            'finished_at', "${flyway:defaultSchema}".web_time(new.finished),
            'error', case when new.error_code is not null then json_build_object(
                'message', new.error_message, 'type', new.error_type, 'param', null, 'code', new.error_code,
                'upstream_status', new.status) end,
            'metadata', new.metadata)));
    return null;
end $$;

create trigger task_end after update of finished on task for each row
    when (old.finished is null and new.finished is not null and new.webhook is not null)
    execute function tell_end();

-- Whoever deletes what a task said does not want it told either.
create function tell_no_more() returns trigger language plpgsql as $$
begin
    delete from "${flyway:defaultSchema}".webhook_delivery where task = new.id;
    new.metadata := null;
    return new;
end $$;

create trigger task_purge before update of purged on task for each row
    when (new.purged and not old.purged and new.webhook is not null)
    execute function tell_no_more();
