// Emitted from src/kinds by `npm run generate`; never edited by hand.

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';
import { inThisEngine, registerConstruct } from '../../engine/engine.ts';

// Configuration

export interface DataVexilEventsConfig extends cdktf.TerraformMetaArguments {
  /**
  * Only return events with a timestamp after this time.
  */
  readonly after?: string;
  /**
  * Only return events with a timestamp before this time.
  */
  readonly before?: string;
  /**
  * Filter by distinct id.
  */
  readonly distinctId?: string;
  /**
  * Filter by event name.
  */
  readonly event?: string;
  /**
  * The format of the answer. One of "csv", "json".
  */
  readonly format?: 'csv' | 'json' | cdktf.IResolvable;
  /**
  * Number of results to return per page.
  */
  readonly limit?: number;
  /**
  * The initial index from which to return the results.
  */
  readonly offset?: number;
  /**
  * Filter by person id.
  */
  readonly personId?: string;
  /**
  * The project. Default: the provider's project.
  */
  readonly projectId?: string;
  /**
  * Filter by event property, person property, cohort, groups and more. JSON text.
  */
  readonly properties?: string;
  /**
  * More query parameters that the service accepts but the document does not list.
  */
  readonly query?: { [key: string]: string };
  /**
  * Experimental: JSON-serialized array of query-language expressions to return. JSON text.
  */
  readonly select?: string;
  /**
  * Experimental: JSON-serialized array of query-language expressions that must pass. JSON text.
  */
  readonly where?: string;
}
export interface DataVexilEventsEvents {
}

export function dataVexilEventsEventsToTerraform(struct?: DataVexilEventsEvents): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
  }
}


export function dataVexilEventsEventsToHclTerraform(struct?: DataVexilEventsEvents): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
  };
  return attrs;
}

export class DataVexilEventsEventsOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  * @param complexObjectIndex the index of this item in the list
  * @param complexObjectIsFromSet whether the list is wrapping a set (will add tolist() to be able to access an item via an index)
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string, complexObjectIndex: number, complexObjectIsFromSet: boolean) {
    super(terraformResource, terraformAttribute, complexObjectIsFromSet, complexObjectIndex);
  }

  public get internalValue(): DataVexilEventsEvents | undefined {
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: DataVexilEventsEvents | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
    }
  }

  // distinct_id - computed: true, optional: false, required: false
  public get distinctId() {
    return this.getStringAttribute('distinct_id');
  }

  // elements - computed: true, optional: false, required: false
  public get elements() {
    return this.getStringAttribute('elements');
  }

  // elements_chain - computed: true, optional: false, required: false
  public get elementsChain() {
    return this.getStringAttribute('elements_chain');
  }

  // event - computed: true, optional: false, required: false
  public get event() {
    return this.getStringAttribute('event');
  }

  // id - computed: true, optional: false, required: false
  public get id() {
    return this.getStringAttribute('id');
  }

  // person - computed: true, optional: false, required: false
  public get person() {
    return this.getStringAttribute('person');
  }

  // properties - computed: true, optional: false, required: false
  public get properties() {
    return this.getStringAttribute('properties');
  }

  // timestamp - computed: true, optional: false, required: false
  public get timestamp() {
    return this.getStringAttribute('timestamp');
  }
}

export class DataVexilEventsEventsList extends cdktf.ComplexList {

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  * @param wrapsSet whether the list is wrapping a set (will add tolist() to be able to access an item via an index)
  */
  constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string, wrapsSet: boolean) {
    super(terraformResource, terraformAttribute, wrapsSet)
  }

  /**
  * @param index the index of the item to return
  */
  public get(index: number): DataVexilEventsEventsOutputReference {
    return new DataVexilEventsEventsOutputReference(this.terraformResource, this.terraformAttribute, index, this.wrapsSet);
  }
}

/**
* `vexil_events`, described in examples/terraform/docs/data-sources/events.md
*/
export class DataVexilEvents extends cdktf.TerraformDataSource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "vexil_events";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a DataVexilEvents resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the DataVexilEvents to import
  * @param importFromId The id of the existing DataVexilEvents that should be imported. See examples/terraform/docs/data-sources/events.md for the id to use
  * @param provider? Optional instance of the provider where the DataVexilEvents to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(inThisEngine(scope, importToId), importToId, { terraformResourceType: "vexil_events", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new `vexil_events`
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options DataVexilEventsConfig = {}
  */
  public constructor(scope: Construct, id: string, config: DataVexilEventsConfig = {}) {
    super(inThisEngine(scope, id), id, {
      terraformResourceType: 'vexil_events',
      terraformGeneratorMetadata: {
        providerName: 'vexil',
        providerVersionConstraint: '~> 0.1'
      },
      provider: config.provider,
      dependsOn: config.dependsOn,
      count: config.count,
      lifecycle: config.lifecycle,
      provisioners: config.provisioners,
      connection: config.connection,
      forEach: config.forEach
    });
    registerConstruct(this);
    this._after = config.after;
    this._before = config.before;
    this._distinctId = config.distinctId;
    this._event = config.event;
    this._format = config.format;
    this._limit = config.limit;
    this._offset = config.offset;
    this._personId = config.personId;
    this._projectId = config.projectId;
    this._properties = config.properties;
    this._query = config.query;
    this._select = config.select;
    this._where = config.where;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // after - computed: false, optional: true, required: false
  private _after?: string;
  public get after() {
    return this.getStringAttribute('after');
  }
  public set after(value: string) {
    this._after = value;
  }
  public resetAfter() {
    this._after = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get afterInput() {
    return this._after;
  }

  // before - computed: false, optional: true, required: false
  private _before?: string;
  public get before() {
    return this.getStringAttribute('before');
  }
  public set before(value: string) {
    this._before = value;
  }
  public resetBefore() {
    this._before = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get beforeInput() {
    return this._before;
  }

  // body - computed: true, optional: false, required: false
  public get body() {
    return this.getStringAttribute('body');
  }

  // distinct_id - computed: false, optional: true, required: false
  private _distinctId?: string;
  public get distinctId() {
    return this.getStringAttribute('distinct_id');
  }
  public set distinctId(value: string) {
    this._distinctId = value;
  }
  public resetDistinctId() {
    this._distinctId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get distinctIdInput() {
    return this._distinctId;
  }

  // event - computed: false, optional: true, required: false
  private _event?: string;
  public get event() {
    return this.getStringAttribute('event');
  }
  public set event(value: string) {
    this._event = value;
  }
  public resetEvent() {
    this._event = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get eventInput() {
    return this._event;
  }

  // events - computed: true, optional: false, required: false
  private _events = new DataVexilEventsEventsList(this, "events", false);
  public get events() {
    return this._events;
  }

  // format - computed: false, optional: true, required: false
  private _format?: string | cdktf.IResolvable;
  public get format(): 'csv' | 'json' {
    return this.getStringAttribute('format') as 'csv' | 'json';
  }
  public set format(value: string | cdktf.IResolvable) {
    this._format = value;
  }
  public resetFormat() {
    this._format = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get formatInput() {
    return this._format;
  }

  // limit - computed: false, optional: true, required: false
  private _limit?: number;
  public get limit() {
    return this.getNumberAttribute('limit');
  }
  public set limit(value: number) {
    this._limit = value;
  }
  public resetLimit() {
    this._limit = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get limitInput() {
    return this._limit;
  }

  // offset - computed: false, optional: true, required: false
  private _offset?: number;
  public get offset() {
    return this.getNumberAttribute('offset');
  }
  public set offset(value: number) {
    this._offset = value;
  }
  public resetOffset() {
    this._offset = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get offsetInput() {
    return this._offset;
  }

  // person_id - computed: false, optional: true, required: false
  private _personId?: string;
  public get personId() {
    return this.getStringAttribute('person_id');
  }
  public set personId(value: string) {
    this._personId = value;
  }
  public resetPersonId() {
    this._personId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get personIdInput() {
    return this._personId;
  }

  // project_id - computed: false, optional: true, required: false
  private _projectId?: string;
  public get projectId() {
    return this.getStringAttribute('project_id');
  }
  public set projectId(value: string) {
    this._projectId = value;
  }
  public resetProjectId() {
    this._projectId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get projectIdInput() {
    return this._projectId;
  }

  // properties - computed: false, optional: true, required: false
  private _properties?: string;
  public get properties() {
    return this.getStringAttribute('properties');
  }
  public set properties(value: string) {
    this._properties = value;
  }
  public resetProperties() {
    this._properties = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get propertiesInput() {
    return this._properties;
  }

  // query - computed: false, optional: true, required: false
  private _query?: { [key: string]: string };
  public get query() {
    return this.getStringMapAttribute('query');
  }
  public set query(value: { [key: string]: string }) {
    this._query = value;
  }
  public resetQuery() {
    this._query = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get queryInput() {
    return this._query;
  }

  // select - computed: false, optional: true, required: false
  private _select?: string;
  public get select() {
    return this.getStringAttribute('select');
  }
  public set select(value: string) {
    this._select = value;
  }
  public resetSelect() {
    this._select = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get selectInput() {
    return this._select;
  }

  // where - computed: false, optional: true, required: false
  private _where?: string;
  public get where() {
    return this.getStringAttribute('where');
  }
  public set where(value: string) {
    this._where = value;
  }
  public resetWhere() {
    this._where = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get whereInput() {
    return this._where;
  }

  // =========
  // SYNTHESIS
  // =========

  protected override synthesizeAttributes(): { [name: string]: any } {
    return {
      after: cdktf.stringToTerraform(this._after),
      before: cdktf.stringToTerraform(this._before),
      distinct_id: cdktf.stringToTerraform(this._distinctId),
      event: cdktf.stringToTerraform(this._event),
      format: cdktf.stringToTerraform(this._format),
      limit: cdktf.numberToTerraform(this._limit),
      offset: cdktf.numberToTerraform(this._offset),
      person_id: cdktf.stringToTerraform(this._personId),
      project_id: cdktf.stringToTerraform(this._projectId),
      properties: cdktf.stringToTerraform(this._properties),
      query: cdktf.hashMapper(cdktf.stringToTerraform)(this._query),
      select: cdktf.stringToTerraform(this._select),
      where: cdktf.stringToTerraform(this._where),
    };
  }

  protected override synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      after: {
        value: cdktf.stringToHclTerraform(this._after),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      before: {
        value: cdktf.stringToHclTerraform(this._before),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      distinct_id: {
        value: cdktf.stringToHclTerraform(this._distinctId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      event: {
        value: cdktf.stringToHclTerraform(this._event),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      format: {
        value: cdktf.stringToHclTerraform(this._format),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      limit: {
        value: cdktf.numberToHclTerraform(this._limit),
        isBlock: false,
        type: "simple",
        storageClassType: "number",
      },
      offset: {
        value: cdktf.numberToHclTerraform(this._offset),
        isBlock: false,
        type: "simple",
        storageClassType: "number",
      },
      person_id: {
        value: cdktf.stringToHclTerraform(this._personId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      project_id: {
        value: cdktf.stringToHclTerraform(this._projectId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      properties: {
        value: cdktf.stringToHclTerraform(this._properties),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      query: {
        value: cdktf.hashMapperHcl(cdktf.stringToHclTerraform)(this._query),
        isBlock: false,
        type: "map",
        storageClassType: "stringMap",
      },
      select: {
        value: cdktf.stringToHclTerraform(this._select),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      where: {
        value: cdktf.stringToHclTerraform(this._where),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
