-- The ledger's durable, fenced, ordered memory. The rules live in Java; this holds what was decided.
--
-- The journal comes first: a batch is one row of it, and nothing else of a synchronous task is written before its caller
-- is answered. waiting and active follow some hundred milliseconds later, in one step for many batches ("fold"), with the
-- net difference only: a task that came and went in between never touches them. So the truth is these two tables as of
-- the last row of the journal that says "folded", and the journal's changes after it.
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
-- A row that says folded has no changes: waiting and active hold everything up to it. Up to 8 kB a row stays in one
-- piece, and it is never compressed, which took a third of the server's time. The mark is drawn by chance: a server that
-- crashed or was replaced may have lost its newest rows and give their revisions again, and whoever saw the lost ones
-- knows by the mark that he must begin again.
create table journal (
    revision bigint primary key,
    holder   text        not null,
    at       timestamptz not null,
    folded   boolean     not null,
    changes  text        not null,
    mark     bigint      not null default 0
) with (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0);

alter table journal alter changes set storage external;
create index journal_folded on journal (revision) where folded;

insert into journal values (0, 'migration', clock_timestamp(), true, '');

-- Set by whoever wants all that was committed so far on disk; it means nothing else.
create sequence flushed;

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

-- Waits until everything that is visible to this session is on disk: a commit that wrote something waits for all that
-- was written before it. A batch that commits without waiting, so that the next process may have the lock, waits so after
-- it and before it answers anybody.
create function flush() returns void language sql volatile as $$
    select setval('"${flyway:defaultSchema}".flushed', 1)
$$;

-- What others decided after revision p_known, an empty text for a fold. "lost" means that it cannot be told, that it is
-- more than the tables would be, or that p_known is none of this journal's past: reload.
create function missed(p_known bigint, p_mark bigint, p_head bigint, out lost boolean, out changes text[])
language plpgsql as $$
begin
    lost := p_head - p_known not between 0 and 4000;
    if lost then return; end if;
    select count(*) <= p_head - p_known or not bool_or(j.revision = p_known and j.mark = p_mark),
           array_agg(j.changes order by j.revision) filter (where j.revision > p_known)
      into lost, changes
      from "${flyway:defaultSchema}".journal j
     where j.revision >= p_known and j.revision <= p_head;
    if lost then changes := null; end if;
end $$;

-- Takes the lock and says what was missed: the first half of a batch that decides under the lock. The server's clock is
-- told as a number, since the driver makes a calendar for each result in which it reads a time.
create function catch_up(
    p_known bigint, p_mark bigint,
    out revision bigint, out mark bigint, out lost boolean, out changes text[], out micros bigint)
language plpgsql as $$
begin
    perform "${flyway:defaultSchema}".lock_shard();
    select j.revision, j.mark into revision, mark
      from "${flyway:defaultSchema}".journal j order by j.revision desc limit 1;
    lost := false;
    if revision <> p_known or mark <> p_mark then
        select m.lost, m.changes into lost, changes from "${flyway:defaultSchema}".missed(p_known, p_mark, revision) m;
    end if;
    micros := extract(epoch from clock_timestamp()) * 1000000;
end $$;

-- Writes one batch of decisions if they rest on the newest revision.
--   outcome 'ok'      written; revision is the new one (unchanged for an empty batch)
--   outcome 'stale'   nothing written; changes or lost say what was missed
--   outcome 'ended'   nothing written; the tasks in ended were finished meanwhile and must not be admitted
--   p_known and p_mark name the newest entry that the batch rests on, p_next is the mark of the new one.
--   Jobs and hints are null where there are none, which is usual. Tasks come as text, since the driver sends arrays of
--   text in binary, those of uuid not.
create function append(
    p_known bigint, p_mark bigint, p_next bigint, p_holder text, p_changes text,
    p_job_gone text[] default null, p_job_task text[] default null, p_job_epoch bigint[] default null,
    p_notify text[] default null,
    out outcome text, out revision bigint, out mark bigint, out lost boolean, out changes text[], out ended uuid[],
    out micros bigint)
language plpgsql as $$
declare
    at timestamptz;
begin
    perform pg_advisory_xact_lock('"${flyway:defaultSchema}".journal'::regclass::oid::bigint::int, 1);
    select j.revision, j.mark into revision, mark
      from "${flyway:defaultSchema}".journal j order by j.revision desc limit 1;
    at := clock_timestamp();
    micros := extract(epoch from at) * 1000000;
    if revision <> p_known or mark <> p_mark then
        outcome := 'stale';
        select m.lost, m.changes into lost, changes from "${flyway:defaultSchema}".missed(p_known, p_mark, revision) m;
        return;
    end if;
    outcome := 'ok';
    if p_changes = '' then
        return;
    end if;
    if p_job_task is not null then
        -- A task that was cancelled while its admission was decided must not run: its row is locked until commit.
        select array_agg(t.id) into ended from (
            select id, state from "${flyway:defaultSchema}".task where id = any(p_job_task::uuid[]) order by id for update) t
         where t.state in ('succeeded', 'failed', 'cancelled');
        if ended is not null then
            outcome := 'ended';
            return;
        end if;
    end if;
    revision := revision + 1;
    mark := p_next;
    insert into "${flyway:defaultSchema}".journal values (revision, p_holder, at, false, p_changes, mark);
    if p_job_gone is not null then
        delete from "${flyway:defaultSchema}".job where task = any(p_job_gone::uuid[]);
    end if;
    if p_job_task is not null then
        insert into "${flyway:defaultSchema}".job (task, epoch)
        select u.task::uuid, u.epoch from unnest(p_job_task, p_job_epoch) as u(task, epoch);
    end if;
    if p_notify is not null then
        perform pg_notify("${flyway:defaultSchema}".channel(), n) from unnest(p_notify) as n;
    end if;
end $$;

-- Brings waiting and active up to revision p_known, under the lock of catch_up. A row that should be there and is not
-- was taken by somebody else: then nothing is written, and the process begins again from tables and journal.
create function fold(
    p_known bigint, p_next bigint, p_holder text,
    p_waiting_gone text[],
    p_w_task text[], p_w_sequence bigint[], p_w_priority int[], p_w_holder text[], p_w_queued bigint[],
    p_w_deadline bigint[], p_w_body text[],
    p_active_gone text[],
    p_a_task text[], p_a_epoch bigint[], p_a_holder text[], p_a_provider text[], p_a_granted bigint[],
    p_a_expires bigint[], p_a_body text[],
    out revision bigint)
language plpgsql as $$
declare
    gone int;
begin
    revision := p_known + 1;
    if p_known <> (select max(j.revision) from "${flyway:defaultSchema}".journal j) then
        raise exception 'the ledger moved under its lock';
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
           -- All of them: a task that left and was asked for again since the last fold has another place.
           set sequence = excluded.sequence, priority = excluded.priority, holder = excluded.holder,
               queued = excluded.queued, deadline = excluded.deadline, body = excluded.body;
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
    insert into "${flyway:defaultSchema}".journal values (revision, p_holder, clock_timestamp(), true, '', p_next);
end $$;

-- The channel of hints, one for each schema. A hint may be lost; a poll of the journal stands behind it.
create function channel() returns text language sql stable as $$
    select 'sluice_' || '"${flyway:defaultSchema}".journal'::regclass::oid::text
$$;
