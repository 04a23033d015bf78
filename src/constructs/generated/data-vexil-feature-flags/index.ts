// Emitted from src/kinds by `npm run generate`; never edited by hand.

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';
import { inThisEngine, registerConstruct } from '../../engine/engine.ts';

// Configuration

export interface DataVexilFeatureFlagsConfig extends cdktf.TerraformMetaArguments {
  /**
  * Only objects that are on (true) or off (false).
  */
  readonly active?: boolean | cdktf.IResolvable;
  /**
  * The project to search. Default: the provider's project.
  */
  readonly projectId?: string;
  /**
  * Only objects whose name contains this text.
  */
  readonly search?: string;
  /**
  * Only objects with all of these tags.
  */
  readonly tags?: string[];
}
export interface DataVexilFeatureFlagsFeatureFlags {
}

export function dataVexilFeatureFlagsFeatureFlagsToTerraform(struct?: DataVexilFeatureFlagsFeatureFlags): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
  }
}


export function dataVexilFeatureFlagsFeatureFlagsToHclTerraform(struct?: DataVexilFeatureFlagsFeatureFlags): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
  };
  return attrs;
}

export class DataVexilFeatureFlagsFeatureFlagsOutputReference extends cdktf.ComplexObject {
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

  public get internalValue(): DataVexilFeatureFlagsFeatureFlags | undefined {
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: DataVexilFeatureFlagsFeatureFlags | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
    }
  }

  // active - computed: true, optional: false, required: false
  public get active() {
    return this.getBooleanAttribute('active');
  }

  // analytics_dashboards - computed: true, optional: false, required: false
  public get analyticsDashboards() {
    return this.getNumberListAttribute('analytics_dashboards');
  }

  // archived - computed: true, optional: false, required: false
  public get archived() {
    return this.getBooleanAttribute('archived');
  }

  // bucketing_identifier - computed: true, optional: false, required: false
  public get bucketingIdentifier() {
    return this.getStringAttribute('bucketing_identifier');
  }

  // can_edit - computed: true, optional: false, required: false
  public get canEdit() {
    return this.getBooleanAttribute('can_edit');
  }

  // created_at - computed: true, optional: false, required: false
  public get createdAt() {
    return this.getStringAttribute('created_at');
  }

  // created_by - computed: true, optional: false, required: false
  public get createdBy() {
    return this.getStringAttribute('created_by');
  }

  // deleted - computed: true, optional: false, required: false
  public get deleted() {
    return this.getBooleanAttribute('deleted');
  }

  // ensure_experience_continuity - computed: true, optional: false, required: false
  public get ensureExperienceContinuity() {
    return this.getBooleanAttribute('ensure_experience_continuity');
  }

  // evaluation_contexts - computed: true, optional: false, required: false
  public get evaluationContexts() {
    return cdktf.Fn.tolist(this.getListAttribute('evaluation_contexts'));
  }

  // evaluation_runtime - computed: true, optional: false, required: false
  public get evaluationRuntime() {
    return this.getStringAttribute('evaluation_runtime');
  }

  // experiment_set - computed: true, optional: false, required: false
  public get experimentSet() {
    return this.getNumberListAttribute('experiment_set');
  }

  // experiment_set_metadata - computed: true, optional: false, required: false
  public get experimentSetMetadata() {
    return this.getStringAttribute('experiment_set_metadata');
  }

  // features - computed: true, optional: false, required: false
  public get features() {
    return this.getStringAttribute('features');
  }

  // filters - computed: true, optional: false, required: false
  public get filters() {
    return this.getStringAttribute('filters');
  }

  // has_encrypted_payloads - computed: true, optional: false, required: false
  public get hasEncryptedPayloads() {
    return this.getBooleanAttribute('has_encrypted_payloads');
  }

  // has_enriched_analytics - computed: true, optional: false, required: false
  public get hasEnrichedAnalytics() {
    return this.getBooleanAttribute('has_enriched_analytics');
  }

  // id - computed: true, optional: false, required: false
  public get id() {
    return this.getStringAttribute('id');
  }

  // is_remote_configuration - computed: true, optional: false, required: false
  public get isRemoteConfiguration() {
    return this.getBooleanAttribute('is_remote_configuration');
  }

  // is_simple_flag - computed: true, optional: false, required: false
  public get isSimpleFlag() {
    return this.getBooleanAttribute('is_simple_flag');
  }

  // key - computed: true, optional: false, required: false
  public get key() {
    return this.getStringAttribute('key');
  }

  // name - computed: true, optional: false, required: false
  public get name() {
    return this.getStringAttribute('name');
  }

  // performed_rollback - computed: true, optional: false, required: false
  public get performedRollback() {
    return this.getBooleanAttribute('performed_rollback');
  }

  // rollback_conditions - computed: true, optional: false, required: false
  public get rollbackConditions() {
    return this.getStringAttribute('rollback_conditions');
  }

  // rollout_percentage - computed: true, optional: false, required: false
  public get rolloutPercentage() {
    return this.getNumberAttribute('rollout_percentage');
  }

  // surveys - computed: true, optional: false, required: false
  public get surveys() {
    return this.getStringAttribute('surveys');
  }

  // tags - computed: true, optional: false, required: false
  public get tags() {
    return cdktf.Fn.tolist(this.getListAttribute('tags'));
  }

  // usage_dashboard - computed: true, optional: false, required: false
  public get usageDashboard() {
    return this.getNumberAttribute('usage_dashboard');
  }

  // user_access_level - computed: true, optional: false, required: false
  public get userAccessLevel() {
    return this.getStringAttribute('user_access_level');
  }
}

export class DataVexilFeatureFlagsFeatureFlagsList extends cdktf.ComplexList {

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
  public get(index: number): DataVexilFeatureFlagsFeatureFlagsOutputReference {
    return new DataVexilFeatureFlagsFeatureFlagsOutputReference(this.terraformResource, this.terraformAttribute, index, this.wrapsSet);
  }
}

/**
* `vexil_feature_flags`, described in examples/terraform/docs/data-sources/feature_flags.md
*/
export class DataVexilFeatureFlags extends cdktf.TerraformDataSource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "vexil_feature_flags";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a DataVexilFeatureFlags resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the DataVexilFeatureFlags to import
  * @param importFromId The id of the existing DataVexilFeatureFlags that should be imported. See examples/terraform/docs/data-sources/feature_flags.md for the id to use
  * @param provider? Optional instance of the provider where the DataVexilFeatureFlags to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(inThisEngine(scope, importToId), importToId, { terraformResourceType: "vexil_feature_flags", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new `vexil_feature_flags`
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options DataVexilFeatureFlagsConfig = {}
  */
  public constructor(scope: Construct, id: string, config: DataVexilFeatureFlagsConfig = {}) {
    super(inThisEngine(scope, id), id, {
      terraformResourceType: 'vexil_feature_flags',
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
    this._active = config.active;
    this._projectId = config.projectId;
    this._search = config.search;
    this._tags = config.tags;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // active - computed: false, optional: true, required: false
  private _active?: boolean | cdktf.IResolvable;
  public get active() {
    return this.getBooleanAttribute('active');
  }
  public set active(value: boolean | cdktf.IResolvable) {
    this._active = value;
  }
  public resetActive() {
    this._active = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get activeInput() {
    return this._active;
  }

  // feature_flags - computed: true, optional: false, required: false
  private _featureFlags = new DataVexilFeatureFlagsFeatureFlagsList(this, "feature_flags", false);
  public get featureFlags() {
    return this._featureFlags;
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

  // search - computed: false, optional: true, required: false
  private _search?: string;
  public get search() {
    return this.getStringAttribute('search');
  }
  public set search(value: string) {
    this._search = value;
  }
  public resetSearch() {
    this._search = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get searchInput() {
    return this._search;
  }

  // tags - computed: false, optional: true, required: false
  private _tags?: string[];
  public get tags() {
    return cdktf.Fn.tolist(this.getListAttribute('tags'));
  }
  public set tags(value: string[]) {
    this._tags = value;
  }
  public resetTags() {
    this._tags = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get tagsInput() {
    return this._tags;
  }

  // =========
  // SYNTHESIS
  // =========

  protected override synthesizeAttributes(): { [name: string]: any } {
    return {
      active: cdktf.booleanToTerraform(this._active),
      project_id: cdktf.stringToTerraform(this._projectId),
      search: cdktf.stringToTerraform(this._search),
      tags: cdktf.listMapper(cdktf.stringToTerraform, false)(this._tags),
    };
  }

  protected override synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      active: {
        value: cdktf.booleanToHclTerraform(this._active),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      project_id: {
        value: cdktf.stringToHclTerraform(this._projectId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      search: {
        value: cdktf.stringToHclTerraform(this._search),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      tags: {
        value: cdktf.listMapperHcl(cdktf.stringToHclTerraform, false)(this._tags),
        isBlock: false,
        type: "set",
        storageClassType: "stringList",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
