// The surroundings in which the installed package must work, or refuse to start in one sentence.
import { asOther, inMounts, inShell, type Words } from "./machine.ts";
import { installedServers, type Postgres } from "./servers.ts";

export interface Surrounding {
	readonly name: string;
	/** "root", programs and files. Without them it is skipped. */
	readonly needs?: Words;
	/** The folder in which the package is installed, and the command of the shell that makes it ($1) from a plain one ($0). */
	readonly project?: readonly [folder: string, make: string];
	/** From the folder of the project; by default an empty folder elsewhere. */
	readonly cwd?: string;
	readonly env?: Record<string, string>;
	/** Runs all commands, but not the browser. */
	readonly within?: Words;
	/** Runs only the service. */
	readonly serveWithin?: Words;
	/** A network namespace for all commands and the browser, which these commands of the shell set up. */
	readonly network?: string;
	/** By default 127.0.0.1. */
	readonly host?: string;
	/** By default SQLite's default path. */
	readonly database?: "at an absolute path" | Postgres;
	/** What the sentence must say, if the service must refuse to start here. */
	readonly refusal?: RegExp;
}

const copy = 'cp -Prl "$0" "$1"';
const link = 'ln -s "$0" "$1"';
const copyReadOnly = 'cp -Pr "$0" "$1" && chmod -R a-w "$1"';

const places: readonly Surrounding[] = [
	...["plain", "my pet shop", "?a=1#b %41%", "Zoö 狗 é"].map(
		(name) => ({ name, project: [name, copy], cwd: "." }) as const,
	),
	// Not in its folder, which the other stories copy.
	{ name: "a link to the package", project: ["link", link] },
	{ name: "another owner", needs: ["root"], within: asOther },
	{ name: "read-only", project: ["fixed", copyReadOnly], within: asOther },
	{ name: "no HOME", within: ["env", "-u", "HOME"] },
	{ name: "working directory /", cwd: "/", database: "at an absolute path" },
];

const npm = {};
const onBothEngines = (one: Surrounding): readonly Surrounding[] => [
	one,
	{ ...one, name: `${one.name}, PostgreSQL`, database: npm },
];

const turkish =
	"mkdir locales && localedef -i tr_TR -f UTF-8 ./locales/tr_TR.UTF-8";
const faketime = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
/** The library leaves files in /dev/shm. */
const leapSecond = `mount -t tmpfs none /dev/shm && export TZ=UTC LD_PRELOAD=${faketime} FAKETIME="@2016-12-31 23:59:58"`;
const withoutShm = [
	"mount -t tmpfs none /dev",
	...["null 3", "zero 5", "full 7", "random 8", "urandom 9"].map(
		(device) => `mknod -m 666 /dev/${device.replace(" ", " c 1 ")}`,
	),
	"ln -s /proc/self/fd /dev/fd",
].join(" && ");
const ipv6 = {
	needs: ["root", "ip"],
	network: "ip address del 127.0.0.1/8 dev lo",
};
const ipv4 = {
	needs: ["root", "ip", "sysctl"],
	network: "sysctl -qw net.ipv6.conf.all.disable_ipv6=1",
};

const machines: readonly Surrounding[] = [
	...[
		{ name: "TZ=Pacific/Apia", env: { TZ: "Pacific/Apia" } },
		{ name: "LANG=C", env: { LANG: "C" } },
		{ name: "LC_ALL=C", env: { LC_ALL: "C" } },
		{ name: "umask 077", within: inShell("umask 077") },
		{ name: "ulimit -n 256", within: inShell("ulimit -n 256") },
	].flatMap(onBothEngines),
	{
		name: "ulimit -n 32",
		serveWithin: inShell("ulimit -n 32"),
		refusal: /open files/,
	},
	{
		name: "LANG=tr_TR.UTF-8",
		needs: ["localedef", "/usr/share/i18n/locales/tr_TR"],
		env: { LANG: "tr_TR.UTF-8", LOCPATH: "locales" },
		serveWithin: inShell(turkish),
	},
	{
		name: "leap second",
		needs: ["root", faketime],
		within: inMounts(leapSecond),
	},
	{ name: "stdout closed", serveWithin: inShell("exec >&-") },
	{ name: "pipe ends", serveWithin: inShell("exec > >(head -c 1) 2>&1") },
	{ name: "no /dev/shm", needs: ["root"], within: inMounts(withoutShm) },
	{ name: "only IPv6, --host ::1", ...ipv6, host: "[::1]" },
	{ name: "only IPv6, default host", ...ipv6, refusal: /127\.0\.0\.1/ },
	{ name: "only IPv4", ...ipv4 },
	{ name: "only IPv4, --host ::1", ...ipv4, host: "[::1]", refusal: /::1/ },
];

const settings = [
	"array_nulls = off",
	"bytea_output = escape",
	"client_min_messages = debug5",
	"DateStyle = 'German, DMY'",
	"default_transaction_deferrable = on",
	"default_transaction_isolation = serializable",
	"enable_indexscan = off; enable_nestloop = off",
	"extra_float_digits = -15",
	"idle_in_transaction_session_timeout = '100ms'",
	"idle_session_timeout = '500ms'",
	"IntervalStyle = sql_standard",
	"lock_timeout = '10ms'",
	"plan_cache_mode = force_generic_plan",
	`search_path = "$user", nowhere`,
	"standard_conforming_strings = off",
	"statement_timeout = '20ms'",
	"TimeZone = 'Pacific/Apia'",
	"transaction_timeout = '200ms'",
	"transform_null_equals = on",
	"work_mem = '64kB'",
];

const readOnly = "default_transaction_read_only = on";
const icu = "LOCALE_PROVIDER icu ICU_LOCALE 'tr-u-kn' TEMPLATE template0";
const paths = ["pet$shop", "cat%24shop", "100%25%20pets", "caf%C3%A9%201"];
const pgbouncer = "/usr/sbin/pgbouncer";
const versions = installedServers.map(({ version }) => version).join();
const german = "/usr/share/locale/de/LC_MESSAGES/postgres-15.mo";
const debian = "/usr/lib/postgresql/15/bin";

const databases: readonly Surrounding[] = [
	{ name: "PostgreSQL of npm", database: npm },
	...installedServers.map(({ version, binaries }) => ({
		name: version,
		database: { server: binaries },
	})),
	...[
		"PostgreSQL 14",
		"PostgreSQL 15",
		"PostgreSQL 16",
		"PostgreSQL 17",
		"Debian",
	]
		.filter((name) => !versions.includes(name))
		.map((name) => ({ name, needs: ["server"] })),
	{ name: "PgBouncer", needs: [pgbouncer], database: { pooler: "session" } },
	...(["transaction", "statement"] as const).map((pooler) => ({
		name: `PgBouncer in ${pooler} mode`,
		needs: [pgbouncer],
		database: { pooler },
		refusal: /transaction mode|statement pooling/,
	})),
	...settings.map((name) => ({
		name,
		database: { settings: name.split("; ") },
	})),
	{
		name: readOnly,
		database: { settings: [readOnly] },
		refusal: /default_transaction_read_only/,
	},
	{ name: "an ICU collation", database: { options: icu } },
	...paths.map((path) => ({ name: `database ${path}`, database: { path } })),
	{ name: "a role that owns only its schema", database: { ownsSchema: true } },
	{
		name: "lc_messages = de_DE.UTF-8",
		needs: [german, "localedef", `${debian}/postgres`],
		database: {
			server: debian,
			language: "de_DE",
			settings: ["lc_messages = 'de_DE.UTF-8'"],
		},
	},
];

export const surroundings = [...places, ...machines, ...databases];
