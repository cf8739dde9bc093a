What nccl-tests measured inside a node, of machines whose profiles have cables.

  $ . "$TESTDIR/setup.sh"
  $ export PARADL_PATH="$TESTDIR/../.."

Of a copy of each shipped machine with such cables, away from its device, at several rates: what is measured is what both the curve and the cables give, or the cables are
said to be unable to.

  $ cat > nodes.py <<'EOF'
  > import glob, json, os, shutil, subprocess
  > def lines(*command):
  >     return subprocess.run(command, capture_output=True, text=True, check=True).stdout
  > fitted = noted = 0
  > for path in sorted(glob.glob(os.environ["PARADL_PATH"] + "/hw-profiles/*.json")):
  >     profile = json.load(open(path))
  >     ranks = min(profile["levels"][0]["devices"], 8)
  >     if not profile.get("network", {}).get("node") or profile["network"].get("protocols") or ranks < 2:
  >         continue
  >     for rate in (10, 250):
  >         open("a.log", "w").write(lines("python3", os.environ["TESTDIR"] + "/nccl_log.py", str(ranks), str(rate)))
  >         shutil.copy(path, "a.json")
  >         said = lines("paradl", "fit", "a.log", "--into", "a.json", "--force", "-q")
  >         answer = json.loads(lines("paradl", "collective", "allreduce", "--hw", "./a.json", "--library", "nccl", "--ranks", str(ranks),
  >                                   "--bytes", "4GiB", "--json"))["networks"][0]["rows"][0]
  >         off = answer["model_s"] / answer["time_s"] - 1
  >         assert answer["origin"] == "measured" and abs(answer["bus_bytes_per_s"] / rate / 1e9 - 1) < 0.01, (path, rate, answer)
  >         assert (abs(off) < 0.02) == ("links/device/sustained" in said) or abs(off) < 0.06, (path, rate, off)
  >         assert abs(off) < 0.06 or "cables:" in said, (path, rate, off)
  >         fitted += "links/device/sustained" in said
  >         noted += "cables:" in said
  > print(fitted > 10, noted > 3)
  > EOF
  $ python3 nodes.py
  True True
