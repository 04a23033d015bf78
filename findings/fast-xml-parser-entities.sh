#!/bin/sh
# fast-xml-parser 4.5.7 refuses a document with more than 1,000 of &lt;, &amp; and &quot;, such as a large JUnit report: it
# counts them as expansions of entities. 4.5.3 and 5.12.1 read it.
. "$(dirname "$0")/lib.sh"
npm_packages old@npm:fast-xml-parser@4.5.3 fast-xml-parser@4.5.7 new@npm:fast-xml-parser@5.12.1
cat > read.cjs <<'PROGRAM'
const cases = '<testcase name="&lt;"/>'.repeat(1001)
for (const name of ['old', 'fast-xml-parser', 'new']) {
  const { XMLParser } = require(name)
  try {
    console.log(new XMLParser().parse(`<testsuite>${cases}</testsuite>`).testsuite.testcase.length)
    new XMLParser({ ignoreAttributes: false }).parse(`<testsuite>${cases}</testsuite>`)
    console.log('read')
  } catch ({ message }) {
    console.log(message)
  }
}
PROGRAM
seen '4.5.3, 4.5.7, 5.12.1' '1001
read
1001
Entity expansion limit exceeded: 1001 > 1000
1001
read' "$(node read.cjs)"
