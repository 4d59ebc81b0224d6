// The client finds the next page in every form of Link header that RFC 8288 allows.
import { expect, test } from "bun:test";
import { findNext } from "../../src/client/reads.ts";

test.each([
	['</v1/pets?cursor=a>; rel="next"', "/v1/pets?cursor=a"],
	["</a>; rel=next", "/a"],
	["</a>;rel=next", "/a"],
	['</a> ; REL = "NEXT"', "/a"],
	['</a>; rel="last next"', "/a"],
	['</a>; rel="last\tnext first"', "/a"],
	['</a>; rel="prev", </b>; rel="next"', "/b"],
	['</a>; rel="prev",</b>;rel=next,</c>;rel=last', "/b"],
	['</a,b;c>; rel="next"', "/a,b;c"],
	['</a>; title="x, </b>; rel=\\"next\\""; rel="prev", </c>; rel="next"', "/c"],
	['</a>; title="rel=next; rel=\'next\'"; rel="prev"', undefined],
	['</a>; title="\\\\"; rel="next"', "/a"],
	['</a>; rel="n\\ext"', "/a"],
	['</a>; crossorigin; rel="next"', "/a"],
	['</a>; rel="prev"; rel="next"', undefined],
	['</a>; rel="next"; rel="prev"', "/a"],
	['</a>; rel="next"; anchor="/other", </b>; rel=next', "/b"],
	['</a>; rel="nextish"', undefined],
	['</a>; rel="https://example.com/next"', undefined],
	['<>; rel="next"', ""],
	["https://example.com/a; rel=next", undefined],
	['</a>; rel="', undefined],
	["</a>", undefined],
	["", undefined],
])("finds in %s the next page %p", (header, next) => {
	expect(findNext(header)).toBe(next);
});
