-- What asynchronous tasks need beyond their first table: what to ask the ledger again after a failure, and who runs them.
alter table task drop column ask;
alter table task rename column dialect to path;
alter table task rename column headers to request_headers;
alter table task
    add priority    integer     not null default 100,
    add long_prompt boolean     not null default false,
    -- Who runs it, under which grant: a result is kept only from the one who holds the newest.
    add epoch       bigint      not null default 0,
    add worker      text,
    -- Set while it is out of the queue between two attempts.
    add retry_at    timestamptz,
    add tried       text[]      not null default '{}',
    add response_type text,
    add error_type  text,
    add purged      boolean     not null default false;

create index task_retry on task (retry_at) where retry_at is not null;

-- Ends the tasks that a batch removed from the queue, in that batch's transaction and statement. The messages are for
-- people; what the code means is in the contract's error table.
create function end_tasks(p_outcome text, p_task text[], p_code text[]) returns int language plpgsql as $$
declare
    ended int;
begin
    if p_outcome <> 'ok' then return 0; end if;
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
     where t.id = u.task and t.state in ('queued', 'running');
    get diagnostics ended = row_count;
    return ended;
end $$;
