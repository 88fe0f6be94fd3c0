-- What hooks of one batch do to many tasks at once, called in the statement that appends the batch. Outside of "ok" the
-- batch was not written, so nothing happens. Each knows its rows by their keys, however small the table is when the plan
-- is made: a plan for a small table is kept and would read a large one from end to end. Until PostgreSQL 17 what is
-- switched off and used all the same has a huge cost, for which each call would be compiled for a fifth of a second.
--
-- Whoever looks for tasks by their ids names the states of one that has not ended instead of saying "finished is null":
-- that would offer the planner the index of all tasks that have not ended, which looks cheapest of all while there is no
-- backlog, and is read from end to end once there is one.

create function keep_tasks(
    p_outcome text, p_id text[], p_owner text[], p_model text[], p_path text[], p_priority int[], p_long int[],
    p_request bytea[], p_headers text[], p_key text[], p_fingerprint text[], p_webhook text[], p_metadata text[],
    p_created text[])
returns int language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
begin
    if p_outcome <> 'ok' then return 0; end if;
    if exists (select 1 from unnest(p_key) as k where k is not null) then
        -- A key stands for its task for a day.
        update "${flyway:defaultSchema}".task t set idempotency = null
          from unnest(p_owner, p_key) as u(owner, key)
         where t.owner = u.owner and t.idempotency = u.key and t.created < clock_timestamp() - interval '24 hours';
    end if;
    insert into "${flyway:defaultSchema}".task
           (id, owner, model, path, priority, long_prompt, request, request_headers, idempotency, fingerprint, webhook,
            metadata, created)
    select u.id::uuid, u.owner, u.model, u.path, u.priority, u.long = 1, u.request, u.headers, u.key, u.fingerprint,
           u.webhook, u.metadata::json, coalesce(u.created::timestamptz, clock_timestamp())
      from unnest(p_id, p_owner, p_model, p_path, p_priority, p_long, p_request, p_headers, p_key, p_fingerprint, p_webhook,
                  p_metadata, p_created)
           as u(id, owner, model, path, priority, long, request, headers, key, fingerprint, webhook, metadata, created);
    return cardinality(p_id);
end $$;

-- Responses in the background, with the tasks that make them.
create function keep_responses(
    p_outcome text, p_id text[], p_owner text[], p_model text[], p_path text[], p_priority int[], p_long int[],
    p_request bytea[], p_headers text[], p_key text[], p_fingerprint text[], p_webhook text[], p_metadata text[],
    p_created text[], p_response text[], p_streamed int[], p_body bytea[], p_input bytea[])
returns int language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
begin
    if p_outcome <> 'ok' then return 0; end if;
    perform "${flyway:defaultSchema}".keep_tasks(
        p_outcome, p_id, p_owner, p_model, p_path, p_priority, p_long, p_request, p_headers, p_key, p_fingerprint,
        p_webhook, p_metadata, p_created);
    insert into "${flyway:defaultSchema}".response (owner, id, task, streamed, body, input)
    select u.owner, u.response, u.id::uuid, u.streamed = 1, u.body, u.input
      from unnest(p_owner, p_response, p_id, p_streamed, p_body, p_input) as u(owner, response, id, streamed, body, input);
    return cardinality(p_id);
end $$;

-- Lines of batches, of which p_feeder must hold the lease. One that is there already, but for what was taken back after an
-- uncertain commit, refuses the call: which one it is, and why, is found when it is alone.
create function feed_lines(
    p_outcome text, p_feeder text, p_id text[], p_owner text[], p_model text[], p_path text[], p_priority int[],
    p_long int[], p_request bytea[], p_headers text[], p_batch text[], p_line int[], p_custom_id text[])
returns int language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
declare
    fed int;
begin
    if p_outcome <> 'ok' then return 0; end if;
    insert into "${flyway:defaultSchema}".task as t
           (id, owner, model, path, priority, long_prompt, request, request_headers, batch, line, custom_id, deadline)
    select u.id::uuid, u.owner, u.model, u.path, u.priority, u.long = 1, u.request, u.headers, b.id, u.line, u.custom_id,
           b.deadline
      from unnest(p_id, p_owner, p_model, p_path, p_priority, p_long, p_request, p_headers, p_batch, p_line, p_custom_id)
           as u(id, owner, model, path, priority, long, request, headers, batch, line, custom_id)
      join "${flyway:defaultSchema}".batch b on b.id = u.batch::uuid
     where b.feeder = p_feeder and b.state = 'in_progress'
    on conflict (batch, line) where batch is not null do update
       set id = excluded.id, state = 'queued', finished = null, error_type = null, error_code = null,
           error_message = null, request = excluded.request, attempts = 0, epoch = 0, worker = null,
           created = clock_timestamp()
     where t.state = 'cancelled';
    get diagnostics fed = row_count;
    if fed < cardinality(p_id) then
        raise exception 'a line is not to be fed' using errcode = 'integrity_constraint_violation';
    end if;
    return fed;
end $$;

-- A task ends only under the grant and by the worker that runs it.
create function finish_tasks(
    p_outcome text, p_worker text, p_task text[], p_epoch bigint[], p_error_type text[], p_error_code text[],
    p_error_message text[], p_status int[], p_type text[], p_staged int[], p_response bytea[])
returns int language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
declare
    ended int;
begin
    if p_outcome <> 'ok' then return 0; end if;
    update "${flyway:defaultSchema}".task t
       set state = case when u.error_code is null then 'succeeded' else 'failed' end,
           error_type = u.error_type, error_code = u.error_code, error_message = u.error_message,
           status = nullif(u.status, 0), response_type = u.type,
           response = case when u.staged = 1 then t.response else u.response end,
           idempotency = case when u.error_code is null then t.idempotency end,
           request = case when t.batch is null then t.request end,
           finished = clock_timestamp()
      from unnest(p_task, p_epoch, p_error_type, p_error_code, p_error_message, p_status, p_type, p_staged, p_response)
           as u(task, epoch, error_type, error_code, error_message, status, type, staged, response)
     where t.id = u.task::uuid and t.epoch = u.epoch and t.worker = p_worker and t.state = 'running';
    get diagnostics ended = row_count;
    return ended;
end $$;

-- Jobs that p_worker may pick up, locked, oldest grant first. There are about as many jobs as workers have slots, in a few
-- pages that are read at once; by an index each one would be fetched by itself, and so would each that is gone.
create function free_jobs(p_worker text, p_running uuid[], p_most int) returns table (task uuid, epoch bigint)
language plpgsql set enable_seqscan = on set jit = off as $$
#variable_conflict use_column
begin
    return query
    select j.task, j.epoch from "${flyway:defaultSchema}".job j
     where (j.picked is null or j.picked = p_worker) and j.task <> all(p_running)
     order by j.epoch limit p_most for update skip locked;
end $$;

-- Picks up jobs that nobody has, oldest grant first, and those of p_worker that it does not run; begins their tasks in
-- the same transaction. A job without the columns of a task is one of a task that has ended or is gone. It never waits
-- for a lock, so it cannot be part of a deadlock: what somebody holds is left for the next look.
create function pick_jobs(p_worker text, p_running text[], p_most int)
returns table (task uuid, epoch bigint, owner text, model text, path text, attempts int, request bytea, headers text,
               tried text[])
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
declare
    free_task uuid[];
    free_epoch bigint[];
    held uuid[];
    gone uuid[];
begin
    -- The ids are read from their text here, once, and not for each job that they are compared with.
    select array_agg(f.task), array_agg(f.epoch) into free_task, free_epoch
      from "${flyway:defaultSchema}".free_jobs(p_worker, p_running::uuid[], p_most) f;
    if free_task is null then return; end if;
    held := array(select t.id from "${flyway:defaultSchema}".task t where t.id = any(free_task) for update skip locked);
    if cardinality(held) < cardinality(free_task) then
        gone := array(
            select u from unnest(free_task) as u
             where not exists (select 1 from "${flyway:defaultSchema}".task t where t.id = u));
    end if;
    return query
    with taken as (
        update "${flyway:defaultSchema}".job j set picked = p_worker
          from unnest(free_task, free_epoch) as f(task, epoch)
         where j.task = f.task and j.epoch = f.epoch and f.task = any(held || gone)
        returning j.task, j.epoch),
    begun as (
        update "${flyway:defaultSchema}".task t
           set state = 'running', worker = p_worker, epoch = f.epoch, attempts = t.attempts + 1,
               started = coalesce(t.started, clock_timestamp())
          from unnest(free_task, free_epoch) as f(task, epoch)
         where t.id = f.task and f.task = any(held) and t.state in ('queued', 'running')
        returning t.id, t.owner, t.model, t.path, t.attempts, t.request, t.request_headers, t.tried)
    select k.task, k.epoch, b.owner, b.model, b.path, b.attempts, b.request, b.request_headers, b.tried
      from taken k left join begun b on b.id = k.task;
end $$;

-- The same for the look at the tasks that a batch admits, and for those that it ends.
alter function append(bigint, bigint, bigint, text, text, text[], text[], bigint[], text[]) set enable_seqscan = off;
alter function append(bigint, bigint, bigint, text, text, text[], text[], bigint[], text[]) set jit = off;
alter function end_tasks(text, text[], text[]) set enable_seqscan = off;
alter function end_tasks(text, text[], text[]) set enable_hashjoin = off;
alter function end_tasks(text, text[], text[]) set jit = off;
