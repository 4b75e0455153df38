/** Clients of databases: what a statement deletes cannot be had back. */
import { alike, plain } from '../apply.ts';
import { findOption, names } from '../args.ts';
import { UNKNOWN, type Arg, type Judge, type Tool, type Use } from '../types.ts';

const ASKS = 'asks a database';
const ACTS = 'acts on a database';
const DELETES = 'deletes data';

/** Statements that delete, and those that change every row they name no condition for. Comments and names in quotes do not count. */
const DELETING =
  /\b(?:drop|truncate|delete\s+from|delete\b|detach\s+database|vacuum\s+into|purge|flushall|flushdb|shutdown|reset\s+master|alter\s+\w+[\s\S]{0,200}\bdrop|revoke|replace\s+into|load_file|into\s+outfile|into\s+dumpfile|xp_cmdshell|pg_terminate_backend|pg_read_file|lo_export|copy[\s\S]{0,500}\bprogram\b|update\b(?![\s\S]*\bwhere\b))\b/i;
const CHANGING =
  /\b(?:insert|update|create|alter|grant|merge|copy|call|do|set|lock|attach|pragma|reindex|vacuum|analyze|load|import|writefile|edit|load_extension|exec(?:ute)?)\b/i;

/** SQL without its texts and comments. */
function bare(sql: string): string {
  return sql
    .replace(/--[^\n]*|\/\*(?!!)[\s\S]*?\*\//g, ' ')
    .replace(/'(?:''|[^'])*'/g, "''")
    .replace(/"[^"]*"|`[^`]*`/g, 'x');
}

function judgeSql({ text, sources }: Pick<Arg, 'text' | 'sources'>, judge: Judge, asks: Tool['tier']): void {
  const sql = bare(text);
  if (DELETING.test(sql)) judge.note('destructive', DELETES);
  else if (CHANGING.test(sql)) judge.note(asks === 'read' ? 'write' : asks, ACTS);
  if (text.includes(UNKNOWN)) judge.note('elevated', 'a statement that is known only when it runs');
  escapes(text, sources, judge);
}

/** `\!`, `.shell`, `.system`, `!` of the clients, and what pipes to or from a command. */
function escapes(text: string, sources: readonly string[], judge: Judge): void {
  for (const match of text.matchAll(
    /(?:\\!|^\s*\.(?:shell|system)\b|\bsystem\b(?=\s+\w)|\\o\s*\||\\g\s*\||\\copy[^\n]*\bprogram\b|\.(?:once|output|import)\s*["']?\||^\s*!)\s*([^\n;]*)/gim,
  )) {
    judge.note('elevated', 'the client runs a command');
    judge.code(match[1]!.replace(/^['"]|['"]$/g, ''), sources);
  }
  const output =
    /^\s*\.(?:output|once|save|backup|dump|log|excel|clone)\s+(\S+)/m.exec(text) ??
    /\\(?:o|w|copy\s.*\bto)\s+(\S+)/.exec(text);
  if (output && !output[1]!.startsWith('|')) judge.note('write', 'writes a file');
}

interface Client {
  readonly statements: string;
  readonly values: string;
  /** What merely connecting and asking comes to. */
  readonly asks: Tool['tier'];
  /** The operand from which on words are statements. */
  readonly operand?: number;
  readonly codes?: string;
}

function client({ statements, values, asks, operand, codes = '' }: Client): Tool {
  return plain(asks, ASKS, {
    values: `${statements} ${values}`,
    codes,
    check: ({ options, operands, call }: Use, judge) => {
      const wanted = names(statements);
      for (const { name, value } of options) if (wanted.includes(name) && value) judgeSql(value, judge, asks);
      if (operand !== undefined) for (const word of operands.slice(operand)) judgeSql(word, judge, asks);
      const file = findOption(options, '-f --file -i --init -init')?.value;
      if (file && call.name !== 'redis-cli') {
        judge.execute(file);
        judge.note('elevated', 'runs a file of statements');
      }
      if (call.input.text !== undefined) judgeSql({ text: call.input.text, sources: [] }, judge, asks);
      else if (call.input.kind !== 'inherited')
        judge.note('elevated', 'runs statements that are not in the line');
      if (operand !== undefined) return;
    },
  });
}

const PSQL = client({
  statements: '-c --command',
  values:
    '-d -h -p -U -f -v -F -R -P -T -o -L --dbname --host --port --username --file --set --output --log-file',
  asks: 'elevated',
});
const MYSQL = client({
  statements: '-e --execute --init-command',
  values: '-h -P -u -D -S --host --port --user --database --socket --defaults-file --default-character-set',
  asks: 'elevated',
  codes: '--pager',
});
const SQLITE: Tool = {
  ...client({ statements: '-cmd', values: '-separator -init -nullvalue -vfs', asks: 'read', operand: 1 }),
  style: 'words',
};

/** Words of mongo's and other shells' languages that delete. */
const MONGO =
  /\b(?:drop\w*|deleteMany|deleteOne|remove|findOneAndDelete|findAndModify|shutdownServer|killOp|reIndex)\b/;
const MONGOSH: Tool = plain('elevated', ACTS, {
  values: '--eval --host --port -u -p --username --password --authenticationDatabase -f --file',
  check: ({ options, call }, judge) => {
    const texts = options.filter(({ name }) => /^--eval$/.test(name)).map(({ value }) => value?.text ?? '');
    for (const text of [...texts, call.input.text ?? ''])
      if (MONGO.test(text) || /child_process|\bfs\.|run\(/.test(text)) judge.note('destructive', DELETES);
  },
});

/** Commands of redis that delete or stop, those that only ask are the rest. */
const REDIS_ENDS =
  /^(?:flushall|flushdb|del|unlink|shutdown|config|debug|script|eval|evalsha|rename|renamenx|migrate|slaveof|replicaof|failover|cluster|client|acl|module|swapdb|expire|pexpire|expireat|getdel|ltrim|spop|srem|zrem\w*|hdel|lrem|xdel|xtrim|restore|bgrewriteaof|save)$/i;
const REDIS_LOSES =
  /^(?:flushall|flushdb|del|unlink|shutdown|getdel|swapdb|ltrim|hdel|srem|zrem\w*|lrem|xdel|xtrim|spop)$/i;
const REDIS: Tool = plain('elevated', ACTS, {
  values: '-h -p -a -n -u -s -r -i -d --user --pass --askpass --eval -x',
  check: ({ operands, call, options }, judge) => {
    const words = [
      operands[0]?.text ?? '',
      ...(call.input.text ?? '').split('\n').map(line => line.trim().split(/\s/)[0] ?? ''),
    ];
    if (words.some(word => REDIS_LOSES.test(word))) judge.note('destructive', DELETES);
    else if (words.some(word => REDIS_ENDS.test(word))) judge.note('elevated', ACTS);
    const text = [
      operands.map(arg => arg.text).join(' '),
      findOption(options, '--eval')?.value?.text ?? '',
    ].join(' ');
    if (
      /^(?:eval|cluster|script|function)\b/i.test(words[0]!) &&
      /(?:flush|del|reset|forget|call)/i.test(text)
    )
      judge.note('destructive', DELETES);
  },
});

export const DATABASES: Readonly<Record<string, Tool>> = {
  ...alike('elevated', ASKS, 'psql pgcli cockroach-sql yugabyte', PSQL),
  ...alike('elevated', ASKS, 'mysql mariadb mycli', MYSQL),
  ...alike('read', ASKS, 'sqlite3 sqlite litecli', SQLITE),
  duckdb: {
    ...client({ statements: '-c -cmd -s', values: '-init', asks: 'read', operand: 1 }),
    style: 'words',
  },
  ...alike(
    'elevated',
    ASKS,
    'sqlcmd isql bcp osql',
    client({ statements: '-Q -q', values: '-S -U -P -d -i -o', asks: 'elevated' }),
  ),
  ...alike(
    'elevated',
    ASKS,
    'clickhouse-client clickhouse cqlsh snowsql trino presto beeline hive impala-shell usql influx',
    client({
      statements: '-q --query -e --execute -u',
      values: '-h --host --port -d --database',
      asks: 'elevated',
      operand: 0,
    }),
  ),
  cockroach: plain('elevated', ACTS, {
    check: ({ options }, judge) => {
      const text = findOption(options, '-e --execute')?.value;
      if (text) judgeSql(text, judge, 'elevated');
    },
    values: '-e --execute --url',
  }),
  sqlplus: plain('elevated', ACTS),
  ...alike('elevated', ACTS, 'mongosh mongo', MONGOSH),
  ...alike('elevated', ACTS, 'redis-cli valkey-cli keydb-cli', REDIS),
  ...alike('destructive', DELETES, 'dropdb dropuser'),
  ...alike(
    'elevated',
    ACTS,
    'createdb createuser vacuumdb reindexdb clusterdb pg_ctl pg_basebackup initdb mysql_upgrade mysqlimport mongoimport mongod mysqld postgres redis-server etcd influxd',
  ),
  mysqladmin: plain('elevated', ACTS, {
    values: '-u -h -P -p',
    verbs: [
      [/^(?:drop|shutdown|kill|flush-\w+)$/, 'destructive', DELETES],
      [/^(?:status|ping|version|processlist|variables|extended-status)$/, 'read', ASKS],
    ],
  }),
  pg_restore: plain('elevated', ACTS, {
    flags: [['-c --clean --if-exists', 'destructive', DELETES]],
    outputs: '-f --file',
    values: '-d -h -U -p',
    dry: '-l --list',
  }),
  mongorestore: plain('elevated', ACTS, { flags: [['--drop', 'destructive', DELETES]] }),
  ...alike('write', 'writes a copy of data', 'pg_dump pg_dumpall mysqldump mongodump mongoexport', {
    outputs: '-f --file -o --out -r --result-file',
    values: '-h -U -p -d',
  }),
  pg_isready: plain('read', ASKS),
  etcdctl: plain('elevated', ACTS, {
    verbs: [
      [/^(?:del|rm|rmdir|defrag|compaction)$/, 'destructive', DELETES],
      [/^(?:get|ls|list|member|endpoint|version|watch)$/, 'read', ASKS],
    ],
  }),
  prisma: plain('write', 'works on a database', {
    subs: {
      ...alike('read', ASKS, 'validate format version studio migrate/status migrate/diff'),
      ...alike('destructive', DELETES, 'migrate/reset'),
      'db push': plain('elevated', ACTS, {
        flags: [['--force-reset --accept-data-loss', 'destructive', DELETES]],
      }),
      'db execute': plain('elevated', ACTS),
      ...alike('elevated', ACTS, 'migrate/deploy migrate/resolve migrate/dev db/seed'),
    },
  }),
  ...alike(
    'elevated',
    ACTS,
    'alembic flyway liquibase knex sequelize sequelize-cli typeorm drizzle-kit dbmate goose migrate atlas-db',
    {
      verbs: [
        [
          /^(?:drop|clean|dropAll|drop-all|down|reset|rollback|undo|downgrade|db:drop|schema:drop|db:migrate:undo(?::all)?|migrate:rollback)$/,
          'destructive',
          DELETES,
        ],
        [/^(?:status|info|validate|history|current|heads|check|show|list|version|generate)$/, 'write', ASKS],
      ],
    },
  ),
};
