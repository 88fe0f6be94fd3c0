-- Answers of the Responses API that are kept. One that is made in the background belongs to a task, which says how it
-- stands and holds the finished answer; one whose client waited stands for itself. The id is the client's word for it:
-- an upstream gave it, so it means something within its group alone.
create table response (
    owner    text        not null,
    id       text        not null,
    task     uuid unique references task (id) on delete cascade,
    -- Whether its events are kept, too.
    streamed boolean     not null default false,
    -- The response object as JSON: the answer, or what is shown while its task has none.
    body     bytea       not null,
    -- The items that it is an answer to, those of earlier responses included: a JSON array.
    input    bytea       not null,
    created  timestamptz not null default clock_timestamp(),
    primary key (owner, id)
);

create index response_created on response (created) where task is null;

-- Events of responses in the background, several in a row, as they are sent to clients. Their numbers go on from row
-- to row without a gap, over all attempts of the task.
create table response_event (
    task   uuid    not null references response (task) on delete cascade,
    first  bigint  not null check (first >= 0),
    count  integer not null check (count > 0),
    events bytea   not null,
    primary key (task, first)
);
