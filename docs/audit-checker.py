"""Checks what finance was given of the log by docs/audit.md, with nothing but Python.
An export or the proof of an event: python3 audit-checker.py FILE HEAD
A proof of consistency: python3 audit-checker.py FILE FIRST SECOND"""
import hashlib, json, re, sys

def sha(*parts): return hashlib.sha256(b"".join(parts)).digest()
def node(left, right): return sha(b"\1", left, right)

def leaf(event):
    stored = event["stored"]
    fields = ["chargebook event 1", event["stream"], str(event["revision"]), event["id"], event["type"], stored["data"], stored["metadata"]]
    return sha(b"\0", *(len(field.encode()).to_bytes(4, "big") + field.encode() for field in fields))

SEALED = {"PayoutRequested": ["bank_account_name", "bank_account_number"], "PayoutRegistered": ["bank_account_name", "bank_account_number"],
          "MerchantRegistered": ["email"], "ApiKeyIssued": ["key_hash"], "WebHookSet": ["sealed_key", "former_keys"], "FinanceKeyIssued": ["key_hash"],
          "OperatorKeyIssued": ["key_hash"]}

def says_what_is_stored(event, position):
    meta, data = json.loads(event["stored"]["metadata"]), json.loads(event["stored"]["data"])
    seal = lambda name, value: "[sealed]" if name in SEALED.get(event["type"], []) and isinstance(value, str) and re.fullmatch(r"\[sealed [0-9a-f]{64}\]", value) else value
    shown = {"occurred_on": "occurred_on", "merchant_id": "merchant_id", "actor": "actor", "correlation_id": "$correlationId", "causation_id": "$causationId"}
    return (event["position"] == position and all(event[name] == meta[key] for name, key in shown.items())
            and event["data"] == {name: seal(name, value) for name, value in data.items()})

def root_of(peaks):
    root = peaks[-1][1]
    for _, left in reversed(peaks[:-1]): root = node(left, root)
    return root

def check_export(lines, head):
    peaks, covered = [], None
    for position, line in enumerate(lines, 1):
        event = json.loads(line)
        if not says_what_is_stored(event, position): return f"broken at {position}"
        if event["leaf_hash"] not in (None, leaf(event).hex()): return f"broken at {position}"
        peaks.append((1, leaf(event)))
        while len(peaks) > 1 and peaks[-1][0] == peaks[-2][0]:
            (size, right), (_, left) = peaks.pop(), peaks.pop()
            peaks.append((2 * size, node(left, right)))
        if root_of(peaks).hex() == head: covered = position
    return f"ok: {covered} events" if covered else "broken: the head is the root of no beginning of this export"

def check_proof(proof, head):  # RFC 9162, 2.1.3.2
    index, last, root = proof["leaf_index"], proof["head"]["events"] - 1, leaf(proof["event"])
    for sibling in map(bytes.fromhex, proof["audit_path"]):
        if index % 2 == 1 or index == last:
            root = node(sibling, root)
            while index % 2 == 0 and index != 0: index, last = index // 2, last // 2
        else: root = node(root, sibling)
        index, last = index // 2, last // 2
    good = last == 0 and root.hex() == head and says_what_is_stored(proof["event"], proof["leaf_index"] + 1)
    return f"ok: event {proof['event']['position']}" if good else f"broken at {proof['leaf_index'] + 1}"

def check_consistency(proof, first_head, second_head):  # RFC 9162, 2.1.4.2
    first, second, path = proof["first"]["events"], proof["second"]["events"], [bytes.fromhex(hash) for hash in proof["consistency_path"]]
    wrong = f"broken: {second} events do not begin with the {first} under the head"
    if first == second: return f"ok: {first} events became {second}" if not path and first_head == second_head else wrong
    if not 1 <= first < second or not path: return wrong
    if first & (first - 1) == 0: path.insert(0, bytes.fromhex(first_head))
    fn, sn = first - 1, second - 1
    while fn & 1: fn, sn = fn >> 1, sn >> 1
    fr = sr = path[0]
    for c in path[1:]:
        if sn == 0: return wrong
        if fn & 1 or fn == sn:
            fr, sr = node(c, fr), node(c, sr)
            while not fn & 1 and fn: fn, sn = fn >> 1, sn >> 1
        else: sr = node(sr, c)
        fn, sn = fn >> 1, sn >> 1
    return f"ok: {first} events became {second}" if sn == 0 and fr.hex() == first_head and sr.hex() == second_head else wrong

if len(sys.argv) not in (3, 4): sys.exit(__doc__)
try: text = open(sys.argv[1], encoding="utf-8").read()
except (OSError, UnicodeDecodeError) as error: sys.exit(f"{sys.argv[1]} cannot be read: {error}")
try:
    try: result = check_consistency(json.loads(text), *sys.argv[2:4]) if len(sys.argv) > 3 else check_proof(json.loads(text), sys.argv[2])
    except (json.JSONDecodeError, KeyError): result = check_export(text.rstrip("\n").split("\n"), sys.argv[2])
except (LookupError, TypeError, ValueError, AttributeError): result = "broken: this is neither an export nor a proof"
print(result)
sys.exit(not result.startswith("ok"))
