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
