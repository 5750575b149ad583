# sqlite3: locks, journals, syncs, positioned reads and writes.
source "$(dirname "$0")/lib.sh"
prepare() {
  cat >script.sql <<'SQL'
create table t(id integer primary key, name text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
  insert into t select i, 'name ' || i from n;
begin; update t set name = upper(name) where id % 3 = 0; commit;
begin; delete from t where id > 2000; rollback;
create index by_name on t(name);
select count(*), sum(id) from t where name like 'NAME 1%';
SQL
}
expect_transparent sqlite3 data.db '.read script.sql'
expect_transparent sqlite3 data.db 'select * from missing'
