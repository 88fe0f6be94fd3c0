-- Files and batches. A line of a batch becomes a task when it is fed to the ledger, a few lines ahead of what runs, so
-- everything that holds for tasks holds for lines.

create table file (
    id       uuid primary key,
    owner    text        not null,
    name     text        not null,
    purpose  text        not null check (purpose in ('batch', 'batch_output')),
    bytes    bigint      not null default 0 check (bytes >= 0),
    -- Until it is complete nobody sees it, and it expires an hour after its last piece.
    complete boolean     not null default false,
    created  timestamptz not null default clock_timestamp(),
    expires  timestamptz not null default clock_timestamp() + interval '1 hour'
) with (fillfactor = 70);

create index file_owner on file (owner, created, id);
create index file_expires on file (expires);

-- The content in pieces, so that any gateway serves it and none needs to hold much of it.
create table file_piece (
    file    uuid   not null references file on delete cascade,
    start   bigint not null check (start >= 0),
    content bytea  not null,
    primary key (file, start)
);
-- Compression would take more time than the bytes are worth.
alter table file_piece alter content set storage external;

create table batch (
    id          uuid primary key,
    owner       text        not null,
    state       text        not null default 'validating'
        check (state in ('validating', 'failed', 'in_progress', 'finalizing', 'completed', 'expired', 'cancelling',
                         'cancelled')),
    endpoint    text        not null,
    input       uuid        not null,
    output      uuid,
    errors_file uuid,
    time_window text        not null,
    priority    integer     not null,
    metadata    text,
    errors      text,
    output_ttl  bigint,
    -- What is known of its lines; the one who feeds them writes it, some tenths of a second late.
    total       integer     not null default 0 check (total >= 0),
    completed   integer     not null default 0 check (completed >= 0),
    failed      integer     not null default 0 check (failed >= 0),
    -- All lines up to this one were fed; the next one begins there.
    fed_line    integer     not null default 0,
    fed_bytes   bigint      not null default 0,
    -- Who feeds it, and until when he may without another word.
    feeder       text,
    feeder_until timestamptz,
    purged      boolean     not null default false,
    created     timestamptz not null default clock_timestamp(),
    deadline    timestamptz not null,
    started     timestamptz,
    finalizing  timestamptz,
    finished    timestamptz,
    cancelling  timestamptz
) with (fillfactor = 50);

create index batch_owner on batch (owner, created, id);
create index batch_open on batch (created) where finished is null;
create index batch_unpurged on batch (finished) where not purged;

alter table task
    add batch     uuid,
    add line      integer,
    add custom_id text,
    -- Of a line alone: it waits until then, whatever other tasks may.
    add deadline  timestamptz;

create unique index task_line on task (batch, line) where batch is not null;
create index task_line_open on task (batch) where batch is not null and finished is null;
-- Of those that failed or were cancelled. The state itself is in no index: else the step from queued to running would
-- have to write into all of them.
create index task_line_failed on task (batch) where batch is not null and finished is not null and error_code is not null;

-- Ends the tasks that a batch of the ledger removed from the queue, in that batch's transaction and statement. The messages
-- are for people; what the code means is in the contract's error table. A line whose time is not over goes back into the
-- queue where others would fail.
create function end_tasks(p_outcome text, p_task text[], p_code text[]) returns int language plpgsql as $$
declare
    ended int;
begin
    if p_outcome <> 'ok' then return 0; end if;
    update "${flyway:defaultSchema}".task t
       set retry_at = clock_timestamp() + interval '1 second', state = 'queued', worker = null
      from unnest(p_task::uuid[], p_code) as u(task, code)
     where t.id = u.task and t.state in ('queued', 'running') and t.deadline > clock_timestamp()
       and u.code in ('queue_timeout', 'no_capacity');
    update "${flyway:defaultSchema}".task t
       set state = case u.code when 'cancelled' then 'cancelled' else 'failed' end,
           error_type = case u.code when 'amount_unsatisfiable' then 'invalid_request_error'
                                    else 'service_unavailable_error' end,
           error_code = u.code,
           error_message = case u.code
               when 'cancelled' then 'The task was cancelled.'
               when 'queue_timeout' then 'The task could not start within the longest time that it may wait.'
               when 'no_capacity' then 'All providers of the model were taken out of service.'
               when 'amount_unsatisfiable' then 'A limit was lowered below what the task takes.'
               else 'The task was removed from the queue.' end,
           finished = clock_timestamp(), idempotency = null, retry_at = null
      from unnest(p_task::uuid[], p_code) as u(task, code)
     where t.id = u.task and t.state in ('queued', 'running') and t.retry_at is null;
    get diagnostics ended = row_count;
    return ended;
end $$;
