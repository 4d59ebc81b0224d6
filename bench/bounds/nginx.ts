// nginx, configured to send one recorded reply to every request.
import { readReplies } from "./replies.ts";

/** One process, without a log, that never closes a connection itself. */
export function toNginxConfiguration(
	port: number,
	folder: string,
	repliesFile: string,
): string {
	const [{ status, headers, body }] = readReplies(repliesFile);
	const { "content-type": type = "text/plain", ...others } = headers;
	const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
		(name) => `${name}_temp_path ${folder}/${name};`,
	);
	const lines = Object.entries(others).map(
		([name, value]) => `add_header ${name} ${quote(value)} always;`,
	);
	return `daemon off;
master_process off;
pid ${folder}/nginx.pid;
events {}
http {
	access_log off;
	${temporary.join("\n\t")}
	keepalive_requests 1000000000;
	default_type ${type};
	server {
		listen 127.0.0.1:${port};
		${lines.join("\n\t\t")}
		location / {
			return ${status} ${quote(body ?? "")};
		}
	}
}
`;
}

function quote(text: string): string {
	return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
