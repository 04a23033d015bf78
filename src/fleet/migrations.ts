/**
 * The tables of the shared store, in the schema `vexil`. Each step runs once, in this order, and is never
 * changed after a release: a new step changes tables.
 *
 * | table         | a row is                                                    | who writes it              |
 * |---------------|-------------------------------------------------------------|----------------------------|
 * | runs          | a run, with its record once it has ended                    | commands that write        |
 * | journal_lines | lines of the journal of a run that has no record yet        | commands that write        |
 * | declared      | a table of declarations as digests, which runs share        | commands that write        |
 * | locks         | the last owner of a target's lock; the lock is advisory     | commands that write        |
 * | pace          | how many requests were sent with a key within 5 seconds     | all, by a function         |
 * | pace_pauses   | until when the service wants no request with a key          | all, by a function         |
 * | states        | whether an environment drifts, conflicts or fails, and when | `vexil reconcile`          |
 *
 * No table has a key of a service: `pace` has a digest of it.
 */
export const migrations: readonly string[] = [
  `
  create table vexil.runs (
    run text primary key,
    target text not null,
    environment text,
    command text not null,
    declared text,
    started_at timestamptz not null,
    record text
  );
  create index runs_of_target on vexil.runs (target, run);
  create table vexil.journal_lines (
    run text not null references vexil.runs on delete cascade,
    part integer not null,
    lines text not null,
    primary key (run, part)
  );
  create table vexil.declared (name text primary key, content text not null);
  create table vexil.locks (target text primary key, owner text not null, seen_at timestamptz not null);
  create table vexil.pace (
    key text not null,
    slot bigint not null,
    requests integer not null,
    primary key (key, slot)
  );
  create table vexil.pace_pauses (key text primary key, until timestamptz not null);
  create table vexil.states (
    id bigint generated always as identity primary key,
    fleet text not null,
    environment text not null,
    state text not null,
    begun_at timestamptz not null,
    ended_at timestamptz,
    objects integer not null,
    reason text,
    commit text
  );
  create unique index states_open on vexil.states (fleet, environment, state) where ended_at is null;

  -- How many of the wanted requests may be sent now, and else in how many milliseconds to ask again. No
  -- window of a minute or an hour ever has more than its limit; slots of 5 seconds make it a little stricter.
  -- Only tests pass a time of their own: two callers with two clocks would break the limits.
  create function vexil.take_requests(
    of_key text, wanted integer, per_minute integer, per_hour integer, at_ms bigint default null)
  returns table (granted integer, wait_ms integer)
  language plpgsql security definer set search_path = pg_catalog as $$
  declare
    here bigint;
    in_minute bigint;
    in_hour bigint;
    free bigint;
    pause_ms bigint;
  begin
    perform pg_advisory_xact_lock(hashtextextended('vexil pace ' || of_key, 0));
    at_ms := coalesce(at_ms, (extract(epoch from clock_timestamp()) * 1000)::bigint);
    here := at_ms / 5000;
    select ceil(extract(epoch from until) * 1000 - at_ms) into pause_ms
      from vexil.pace_pauses where key = of_key;
    if pause_ms > 0 then
      return query select 0, least(pause_ms, 600000)::integer;
      return;
    end if;
    delete from vexil.pace where key = of_key and slot < here - 720;
    select coalesce(sum(requests) filter (where slot >= here - 12), 0), coalesce(sum(requests), 0)
      into in_minute, in_hour from vexil.pace where key = of_key;
    free := least(wanted, coalesce(per_minute, 2147483647) - in_minute, coalesce(per_hour, 2147483647) - in_hour);
    if free > 0 then
      insert into vexil.pace values (of_key, here, free)
        on conflict (key, slot) do update set requests = vexil.pace.requests + excluded.requests;
      return query select free::integer, 0;
    else
      -- At the next slot an old one may fall out of the window.
      return query select 0, ((here + 1) * 5000 - at_ms)::integer;
    end if;
  end $$;

  create function vexil.pause_requests(of_key text, pause_ms integer) returns void
  language sql security definer set search_path = pg_catalog as $$
    insert into vexil.pace_pauses values (of_key, clock_timestamp() + pause_ms * interval '1 millisecond')
    on conflict (key) do update set until = greatest(vexil.pace_pauses.until, excluded.until)
  $$;
  `,
]
