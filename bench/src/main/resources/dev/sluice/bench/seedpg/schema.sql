-- The seed's file does not show its schema: columns are those that its statements name, indexes those that they need.
CREATE TABLE gateway_tasks (
  id uuid PRIMARY KEY,
  status text NOT NULL DEFAULT 'queued',
  error text,
  error_code text,
  error_message text,
  finished_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE gateway_task_admissions (
  task_id uuid PRIMARY KEY,
  platform_id uuid NOT NULL,
  platform_model_id uuid NOT NULL,
  user_group_id uuid,
  queue_key text NOT NULL,
  mode text NOT NULL,
  status text NOT NULL,
  priority int NOT NULL,
  enqueued_at timestamptz NOT NULL DEFAULT now(),
  wait_deadline_at timestamptz NOT NULL,
  admitted_at timestamptz,
  waiter_id text,
  waiter_lease_expires_at timestamptz,
  reselect_requested_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- Heads of the queues (lines 1211-1228).
CREATE INDEX admissions_model_head ON gateway_task_admissions
  (platform_model_id, priority, enqueued_at, task_id) WHERE status = 'waiting';
CREATE INDEX admissions_group_head ON gateway_task_admissions
  (user_group_id, priority, enqueued_at, task_id) WHERE status = 'waiting';

-- Counts of the queues: lines 995 and 1001 compare text, so only an index on the text serves them.
CREATE INDEX admissions_model_text ON gateway_task_admissions
  ((platform_model_id::text)) WHERE status = 'waiting';
CREATE INDEX admissions_group_text ON gateway_task_admissions
  ((user_group_id::text)) WHERE status = 'waiting';

-- The order of all that wait (lines 689-694, 719-740) and the reaper (lines 801-808).
CREATE INDEX admissions_waiting ON gateway_task_admissions
  (mode, priority, enqueued_at, task_id) WHERE status = 'waiting';
CREATE INDEX admissions_deadline ON gateway_task_admissions
  (wait_deadline_at, task_id) WHERE status = 'waiting';

CREATE TABLE gateway_concurrency_leases (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  task_id uuid NOT NULL,
  scope_type text NOT NULL,
  scope_key text NOT NULL,
  scope_name text NOT NULL DEFAULT '',
  lease_value double precision NOT NULL,
  acquired_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  released_at timestamptz
);

-- Usage of a scope (lines 967-973) and the leases of a task (lines 539-543, 549-552, 643-646).
CREATE INDEX leases_scope ON gateway_concurrency_leases (scope_type, scope_key) WHERE released_at IS NULL;
CREATE INDEX leases_task ON gateway_concurrency_leases (task_id) WHERE released_at IS NULL;
