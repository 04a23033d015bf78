#!/bin/sh
# Texts that are written without quotes, and are numbers for the next reader: PyYAML 6.0.3 writes 1e3, 08 and 0o7 so, which yaml
# 2.9.1, js-yaml 5.5.0 and ruamel.yaml 0.19.1 read as 1000, 8, 7. yaml and ruamel.yaml write 1:30 so, which PyYAML reads as 90.
. "$(dirname "$0")/lib.sh"
npm_packages js-yaml@5.5.0 yaml@2.9.1
pip_packages pyyaml==6.0.3 ruamel.yaml==0.19.1
cat > write.py <<'PROGRAM'
import yaml
from ruamel.yaml import YAML
texts = ["1e3", "08", "0o7", "1:30"]
yaml.safe_dump(texts, open("pyyaml.yaml", "w"))
YAML(typ="safe", pure=True).dump(texts, open("ruamel.yaml", "w"))
PROGRAM
cat > read.py <<'PROGRAM'
import json, yaml
from ruamel.yaml import YAML
for writer in ["pyyaml", "ruamel", "yaml", "js-yaml"]:
    text = open(f"{writer}.yaml").read()
    for name, read in {"pyyaml": yaml.safe_load, "ruamel": YAML(typ="safe", pure=True).load}.items():
        print(f"{writer} {name}:", json.dumps(read(text), separators=(",", ":")).replace(".0", ""))
PROGRAM
venv/bin/python write.py
node_program <<'PROGRAM'
import { readFileSync, writeFileSync } from 'node:fs'
import { dump, load } from 'js-yaml'
import { parse, stringify } from 'yaml'
const texts = ['1e3', '08', '0o7', '1:30']
writeFileSync('yaml.yaml', stringify(texts))
writeFileSync('js-yaml.yaml', dump(texts))
for (const writer of ['pyyaml', 'ruamel', 'yaml', 'js-yaml'])
  for (const [name, read] of [['yaml', parse], ['js-yaml', load]])
    console.log(`${writer} ${name}:`, JSON.stringify(read(readFileSync(`${writer}.yaml`, 'utf8'))))
PROGRAM
venv/bin/python read.py >> out
seen 'writer, reader: what is no text any more' 'pyyaml js-yaml: [1000,8,7,"1:30"]
pyyaml ruamel: [1000,8,7,"1:30"]
pyyaml yaml: [1000,8,7,"1:30"]
ruamel pyyaml: ["1e3","08","0o7",90]
yaml pyyaml: ["1e3","08","0o7",90]' "$(grep -v '"1e3","08","0o7","1:30"' out | sort)"
