-- The ledger's durable, fenced, ordered memory. The rules live in Java; these tables hold what was decided.
--
-- waiting and active are two tables instead of one with a status, so that each stays as small as what it shows and
-- moving a task between them never touches an index of a mutable column. The truth of a row is its task, its holder
-- and its body (JSON, exact to the microsecond); the other columns are for people and for the few lookups that SQL makes.

create table waiting (
    task     uuid primary key,
    sequence bigint      not null,
    priority integer     not null,
    holder   text,
    queued   timestamptz not null,
    deadline timestamptz,
    body     text        not null
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0);

create table active (
    task     uuid primary key,
    epoch    bigint      not null,
    holder   text,
    provider text,
    granted  timestamptz not null,
    expires  timestamptz not null,
    body     text        not null
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0);

-- One row a batch. The highest revision says which past the next decision must rest on: reading it is one step into
-- the index from its upper end, so rows trimmed at the lower end cost nothing even while an old snapshot keeps them.
-- changes is null where no other holder was there to read it.
create table journal (
    revision bigint primary key,
    holder   text        not null,
    at       timestamptz not null,
    changes  text
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

insert into journal values (0, 'migration', clock_timestamp(), null);

-- One heartbeat row a process: it renews all its waiters at once.
create table holder (
    id      text primary key,
    started timestamptz not null,
    until   timestamptz not null,
    applied bigint      not null
) with (fillfactor = 50);

-- What operators decided about providers; one that is not here is enabled.
create table provider_state (
    provider text primary key,
    state    text        not null check (state in ('ENABLED', 'DISABLED', 'DRAINING')),
    changed  timestamptz not null default clock_timestamp()
);

-- The durable side of asynchronous tasks.
create table task (
    id       uuid primary key,
    state    text        not null default 'queued'
        check (state in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    owner    text        not null,
    model    text        not null,
    dialect  text        not null,
    attempts integer     not null default 0 check (attempts >= 0),
    ask      text        not null,
    request  bytea,
    response bytea,
    status   integer,
    headers  text,
    error_code    text,
    error_message text,
    idempotency text,
    fingerprint text,
    created  timestamptz not null default clock_timestamp(),
    started  timestamptz,
    finished timestamptz
) with (fillfactor = 70);

create unique index task_idempotency on task (owner, idempotency) where idempotency is not null;
create index task_unfinished on task (created) where finished is null;
create index task_finished on task (finished) where finished is not null;

-- One row for each admitted asynchronous task, written by the batch that admits it: between capacity and work there is
-- no instant at which a crash could lose either.
create table job (
    task   uuid   not null,
    epoch  bigint not null,
    picked text,
    primary key (task, epoch)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- The shard's lock. Keyed by this table's own identity, so two schemas in one database never meet. A session that
-- stops while it holds it is ended by the server after two seconds, so a frozen process cannot freeze the others.
create function lock_shard() returns void language plpgsql as $$
begin
    perform set_config('idle_in_transaction_session_timeout', '2000', true);
    perform pg_advisory_xact_lock('"${flyway:defaultSchema}".journal'::regclass::oid::bigint::int, 1);
end $$;

create function head() returns bigint language sql volatile as $$
    select revision from "${flyway:defaultSchema}".journal order by revision desc limit 1
$$;

-- What others decided after revision p_known. "lost" means that it cannot be told: reload from the tables.
create function missed(p_known bigint, p_head bigint, out lost boolean, out changes text[])
language plpgsql as $$
begin
    select count(*) < p_head - p_known or bool_or(j.changes is null), array_agg(j.changes order by j.revision)
      into lost, changes
      from "${flyway:defaultSchema}".journal j
     where j.revision > p_known and j.revision <= p_head;
    if lost then changes := null; end if;
end $$;

-- Takes the lock and says what was missed: the first half of a batch that decides under the lock.
create function catch_up(p_known bigint, out revision bigint, out lost boolean, out changes text[], out at timestamptz)
language plpgsql as $$
begin
    perform "${flyway:defaultSchema}".lock_shard();
    revision := "${flyway:defaultSchema}".head();
    lost := false;
    if revision <> p_known then
        select m.lost, m.changes into lost, changes from "${flyway:defaultSchema}".missed(p_known, revision) m;
    end if;
    at := clock_timestamp();
end $$;

-- Writes one batch of decisions if they rest on the newest revision.
--   outcome 'ok'      written; revision is the new one (unchanged for an empty batch)
--   outcome 'stale'   nothing written; changes or lost say what was missed
--   outcome 'journal' nothing written; another holder is there now, so the batch must carry its changes
--   outcome 'ended'   nothing written; the tasks in ended were finished meanwhile and must not be admitted
--   Tasks come as text, since the driver sends arrays of text in binary, those of uuid not.
create function append(
    p_known bigint, p_holder text, p_changes text,
    p_waiting_gone text[],
    p_w_task text[], p_w_sequence bigint[], p_w_priority int[], p_w_holder text[], p_w_queued bigint[],
    p_w_deadline bigint[], p_w_body text[],
    p_active_gone text[],
    p_a_task text[], p_a_epoch bigint[], p_a_holder text[], p_a_provider text[], p_a_granted bigint[],
    p_a_expires bigint[], p_a_body text[],
    p_job_gone text[], p_job_task text[], p_job_epoch bigint[],
    p_notify text[],
    out outcome text, out revision bigint, out others int, out lost boolean, out changes text[], out ended uuid[],
    out at timestamptz)
language plpgsql as $$
declare
    gone int;
begin
    perform "${flyway:defaultSchema}".lock_shard();
    revision := "${flyway:defaultSchema}".head();
    if revision <> p_known then
        outcome := 'stale';
        select m.lost, m.changes into lost, changes from "${flyway:defaultSchema}".missed(p_known, revision) m;
        at := clock_timestamp();
        return;
    end if;
    select count(*) into others from "${flyway:defaultSchema}".holder h
     where h.id <> p_holder and h.until > clock_timestamp() - interval '15 s';
    if p_changes = '' then
        outcome := 'ok';
        at := clock_timestamp();
        return;
    end if;
    if others > 0 and p_changes is null then
        outcome := 'journal';
        at := clock_timestamp();
        return;
    end if;
    if cardinality(p_job_task) > 0 then
        -- A task that was cancelled while its admission was decided must not run: its row is locked until commit.
        select array_agg(t.id) into ended from (
            select id, state from "${flyway:defaultSchema}".task where id = any(p_job_task::uuid[]) order by id for update) t
         where t.state in ('succeeded', 'failed', 'cancelled');
        if ended is not null then
            outcome := 'ended';
            at := clock_timestamp();
            return;
        end if;
    end if;
    if cardinality(p_waiting_gone) > 0 then
        delete from "${flyway:defaultSchema}".waiting where task = any(p_waiting_gone::uuid[]);
        get diagnostics gone = row_count;
        if gone <> cardinality(p_waiting_gone) then
            raise exception 'drift: % of % waiting rows were there', gone, cardinality(p_waiting_gone);
        end if;
    end if;
    if cardinality(p_active_gone) > 0 then
        delete from "${flyway:defaultSchema}".active where task = any(p_active_gone::uuid[]);
        get diagnostics gone = row_count;
        if gone <> cardinality(p_active_gone) then
            raise exception 'drift: % of % active rows were there', gone, cardinality(p_active_gone);
        end if;
    end if;
    if cardinality(p_w_task) > 0 then
        insert into "${flyway:defaultSchema}".waiting as w
        select u.task::uuid, u.sequence, u.priority, u.holder, to_timestamp(u.queued / 1e6),
               to_timestamp(nullif(u.deadline, 9223372036854775807) / 1e6), u.body
          from unnest(p_w_task, p_w_sequence, p_w_priority, p_w_holder, p_w_queued, p_w_deadline, p_w_body)
               as u(task, sequence, priority, holder, queued, deadline, body)
        on conflict (task) do update
           set priority = excluded.priority, holder = excluded.holder, deadline = excluded.deadline, body = excluded.body;
    end if;
    if cardinality(p_a_task) > 0 then
        insert into "${flyway:defaultSchema}".active as a
        select u.task::uuid, u.epoch, u.holder, u.provider, to_timestamp(u.granted / 1e6), to_timestamp(u.expires / 1e6), u.body
          from unnest(p_a_task, p_a_epoch, p_a_holder, p_a_provider, p_a_granted, p_a_expires, p_a_body)
               as u(task, epoch, holder, provider, granted, expires, body)
        on conflict (task) do update
           set epoch = excluded.epoch, holder = excluded.holder, provider = excluded.provider,
               granted = excluded.granted, expires = excluded.expires, body = excluded.body;
    end if;
    if cardinality(p_job_gone) > 0 then
        delete from "${flyway:defaultSchema}".job where task = any(p_job_gone::uuid[]);
    end if;
    if cardinality(p_job_task) > 0 then
        insert into "${flyway:defaultSchema}".job (task, epoch)
        select u.task::uuid, u.epoch from unnest(p_job_task, p_job_epoch) as u(task, epoch);
    end if;
    revision := revision + 1;
    at := clock_timestamp();
    insert into "${flyway:defaultSchema}".journal values (revision, p_holder, at, p_changes);
    if cardinality(p_notify) > 0 then
        perform pg_notify("${flyway:defaultSchema}".channel(), n) from unnest(p_notify) as n;
    end if;
    outcome := 'ok';
end $$;

-- The channel of hints, one for each schema. A hint may be lost; a poll of the journal stands behind it.
create function channel() returns text language sql stable as $$
    select 'sluice_' || '"${flyway:defaultSchema}".journal'::regclass::oid::text
$$;
