-- Ids of the items of an answer, by which later requests of its group may refer to them instead of sending them again.
alter table response add items text[] not null default '{}';

create index response_items on response using gin (items);
